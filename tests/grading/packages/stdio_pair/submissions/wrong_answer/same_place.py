n, d = map(int, input().split())
numbers = set(map(int, input().split()))
for number in sorted(numbers):
    if number + d in numbers:
        print(number, number + d)
        break
else:
    print("none")
