"""`pbem admin`: finding and acting by shell, for those who run the service."""
