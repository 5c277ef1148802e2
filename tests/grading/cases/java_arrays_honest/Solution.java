import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

class Solution {
    record Answer(List<double[]> rows, Double total, List<Integer> order) {}

    static Answer scale_rows(double[][] rows, double factor) {
        double total = 0;
        List<Integer> order = new ArrayList<>();
        for (double[] row : rows) {
            order.add(order.size());
            for (int column = 0; column < row.length; column++) {
                total += row[column] *= factor;
            }
        }
        order.sort(Comparator.comparingDouble(index -> rows[index][0]));
        return new Answer(List.of(rows), total, order);
    }
}
