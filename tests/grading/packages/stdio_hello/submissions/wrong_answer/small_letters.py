print("good morning,", " ".join(input().split()) + "!")
