input()
print(int(sum(map(float, input().split()))))
