"""Players who are made robots, or people again, in the middle of a test."""

AS_ROBOT = {"is_robot": True, "robot_level": "fair", "robot_edition": 1}
AS_PERSON = {"is_robot": False, "robot_level": None, "robot_edition": None}
