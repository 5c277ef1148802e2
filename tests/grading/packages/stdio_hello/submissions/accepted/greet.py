print("Good morning,", " ".join(input().split()) + "!")
