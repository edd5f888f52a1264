package io.github.snowflakeid.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Keeps preceding memory off the cache line of the word: by two lines of 64 bytes, because processors fetch lines in
 * pairs.
 */
class PaddingBefore {
    long b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15;
}

class PaddedWord extends PaddingBefore {
    volatile long word;
}

/** Keeps following memory, such as the fields of a subclass, off the cache line of the word. */
class PaddingAfter extends PaddedWord {
    long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;
}

/**
 * A 64-bit word that all callers write, on a separate cache line. Fields on the same cache line that callers only read
 * would have to be loaded again after each write. The word is in a superclass rather than in a separate object, because
 * each caller would have to read the reference to that object first. Safe for use by any number of threads.
 */
public abstract class PaddedLong extends PaddingAfter {

    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(PaddedWord.class, "word", long.class);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Creates the word.
     *
     * @param start its initial value
     */
    protected PaddedLong(long start) {
        word = start;
    }

    /**
     * Returns the word, with the memory effects of a volatile read.
     *
     * @return its current value
     */
    protected long get() {
        return word;
    }

    /**
     * Adds a number to the word atomically.
     *
     * @param delta the number to add
     * @return the previous value
     */
    protected long getAndAdd(long delta) {
        return (long) WORD.getAndAdd(this, delta);
    }

    /**
     * Replaces the word atomically.
     *
     * @param next the new value
     * @return the previous value
     */
    protected final long getAndSet(long next) {
        return (long) WORD.getAndSet(this, next);
    }

    /**
     * Replaces the word atomically if it has the expected value.
     *
     * @param seen the expected value
     * @param next the new value
     * @return whether it was replaced
     */
    protected boolean compareAndSet(long seen, long next) {
        return WORD.compareAndSet(this, seen, next);
    }
}
