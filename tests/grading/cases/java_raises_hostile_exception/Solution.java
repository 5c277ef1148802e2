class Solution {
    static class Hostile extends RuntimeException {
        @Override
        public String getMessage() {
            throw new Hostile();
        }

        @Override
        public String toString() {
            throw new Hostile();
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            return new StackTraceElement[] {
                null, new StackTraceElement("decodejudge.Secret", "tell", "/etc/passwd", -7)
            };
        }
    }

    static long pair_sum(long a, long b) {
        throw new Hostile();
    }
}
