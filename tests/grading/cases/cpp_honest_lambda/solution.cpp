const auto pair_sum = [](const auto& a, auto&& b) { return a + b; };
