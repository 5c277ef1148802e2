class Solution { // \u000a static long pair_sum(long \u0061, long b) { return a + b; }
    static final String TEXT = "\uuu0041\\u0041\u005c"";
    /* \u002a\u002f static int x; /* */
}
