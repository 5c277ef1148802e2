def is_pair(numbers, pair, difference):
    left = list(numbers)
    for number in pair:
        if number not in left:
            return False
        left.remove(number)
    return abs(int(pair[0]) - int(pair[1])) == difference
