package io.github.snowflakeid;

/**
 * Successive slots that were claimed of an allocation.
 *
 * @param first the first slot
 */
record SlotRange(Allocation of, long first, int count) {

    /** Stands for an ID if the claimed slots are never to be issued. */
    static final long GIVEN_UP = -1;

    long last() {
        return first + count - 1;
    }

    /**
     * Writes the ids of a run into an array. A run has no more slots than a tick, so it lies in two ticks at most, and within one ids
     * are successive.
     *
     * @param from where the first one goes
     * @param id the first one
     * @param nextTick how much greater than the first id of a tick that of the next one is
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
