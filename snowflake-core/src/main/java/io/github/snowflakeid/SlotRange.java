package io.github.snowflakeid;

/**
 * Consecutive slots that were claimed from an allocation.
 *
 * @param of the allocation
 * @param first the first slot
 * @param count the number of slots
 */
record SlotRange(Allocation of, long first, int count) {

    /** Returned instead of an ID if the claimed slots must never be issued. */
    static final long GIVEN_UP = -1;

    long last() {
        return first + count - 1;
    }

    /**
     * Writes the IDs of a range into an array. A range has no more slots than a tick, so it spans two ticks at most;
     * within a tick, IDs are consecutive.
     *
     * @param from the index of the first ID
     * @param count the number of IDs
     * @param id the first ID
     * @param nextTick the difference between the first IDs of two consecutive ticks
     */
    static void fill(long[] ids, int from, int count, long id, long sequenceMask, long nextTick) {
        int inFirstTick = (int) Math.min(count, sequenceMask + 1 - (id & sequenceMask));
        fill(ids, from, from + inFirstTick, id);
        fill(ids, from + inFirstTick, from + count, (id & ~sequenceMask) + nextTick);
    }

    private static void fill(long[] ids, int from, int to, long first) {
        for (int i = from; i < to; i++) {
            ids[i] = first + (i - from);
        }
    }
}
