package io.github.snowflakeid.segment;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The numbers at hand: the present segment, and the one that is ready to follow it. Any thread may claim of the present one; all
 * else is for one thread at a time.
 */
final class SegmentBuffer {

    private volatile Segment present = Segment.NONE;
    private @Nullable Segment ready;

    /** How many numbers of segments before the present one were issued. */
    private long issuedBefore;

    /** What numbers are claimed of now; an empty segment if there are none. */
    Segment present() {
        return present;
    }

    /** Which segment follows the present one; null if there is none yet. */
    @Nullable
    Segment ready() {
        return ready;
    }

    void add(Segment segment) {
        ready = segment;
    }

    /**
     * Claims a number of the present segment, or of the segment that is ready, which becomes the present one.
     *
     * @param replaced called if it does
     */
    OptionalLong claim(Runnable replaced) {
        Segment mine = present;
        long position = mine.claim(1);
        if (position >= mine.size && ready != null) {
            issuedBefore += mine.size;
            mine = ready;
            ready = null;
            present = mine;
            position = mine.claim(1);
            replaced.run();
        }
        return position < mine.size ? OptionalLong.of(mine.numberAt(position)) : OptionalLong.empty();
    }

    /**
     * Lets nobody claim any more.
     *
     * @return the first position of the present segment that nobody has claimed
     */
    long drain() {
        long from = present.drain();
        issuedBefore += from;
        present = Segment.NONE;
        ready = null;
        return from;
    }

    long issued() {
        return issuedBefore + present.used();
    }

    long remaining() {
        return present.left() + (ready == null ? 0 : ready.size);
    }
}
