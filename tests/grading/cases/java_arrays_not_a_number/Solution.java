class Solution {
    record Result(double[][] scaled, double total, long[] order) {}

    static Result scale_rows(double[][] rows, double factor) {
        for (double[] row : rows) {
            for (int column = 0; column < row.length; column++) {
                row[column] *= factor;
            }
        }
        return new Result(rows, 0.0 / 0.0, new long[] {0, 1});
    }
}
