n, d = map(int, input().split())
numbers = list(map(int, input().split()))
for i in range(n):
    for j in range(i):
        if abs(numbers[i] - numbers[j]) == d:
            print(numbers[i], numbers[j])
            raise SystemExit
print("none")
