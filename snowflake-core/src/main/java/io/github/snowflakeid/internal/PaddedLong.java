package io.github.snowflakeid.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Keeps what is before it in memory off the cache line of the word: two lines of 64 bytes, since processors fetch pairs. */
class PaddingBefore {
    long b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15;
}

class PaddedWord extends PaddingBefore {
    volatile long word;
}

/** Keeps what comes after it, such as the fields of a subclass, off the cache line of the word. */
class PaddingAfter extends PaddedWord {
    long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;
}

/**
 * One word that all callers write, with a cache line of its own: fields that callers only read would be fetched again and again if they
 * were near it. A superclass rather than a field, which each caller would have to read first. Safe for use by any number of threads.
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
     * Starts the word.
     *
     * @param start its first value
     */
    protected PaddedLong(long start) {
        word = start;
    }

    /**
     * Returns the word.
     *
     * @return its present value
     */
    protected final long get() {
        return word;
    }

    /**
     * Adds to the word.
     *
     * @param delta what to add
     * @return the value before
     */
    protected final long getAndAdd(long delta) {
        return (long) WORD.getAndAdd(this, delta);
    }

    /**
     * Replaces the word.
     *
     * @param next the new value
     * @return the value before
     */
    protected final long getAndSet(long next) {
        return (long) WORD.getAndSet(this, next);
    }

    /**
     * Replaces the word if it has a certain value.
     *
     * @param seen the value that it must have
     * @param next the new value
     * @return whether it was replaced
     */
    protected final boolean compareAndSet(long seen, long next) {
        return WORD.compareAndSet(this, seen, next);
    }
}
