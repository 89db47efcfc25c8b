"""What leagues, ladders and fields have in common: who may enter, how, and with whom."""
