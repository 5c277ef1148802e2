name = input() + input()
print("Good morning,", name + "!")
