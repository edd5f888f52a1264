package io.github.snowflakeid;

/**
 * A range of IDs, as {@link IdLayout#range} returns it for a span of time. Both ends are inclusive, as SQL's
 * {@code BETWEEN} and Spring Data's {@code Between} expect. If the range is {@linkplain #isEmpty() empty}, {@code last}
 * is less than {@code first}, and {@code BETWEEN} matches no row.
 *
 * @param first the lowest ID, inclusive
 * @param last the highest ID, inclusive; {@code first - 1} if the range is empty
 * @since 1.0
 */
public record IdRange(long first, long last) {

    /**
     * Returns whether this range contains no ID, because the span of time begins and ends in the same tick.
     *
     * @return {@code true} if {@code last} is less than {@code first}
     */
    public boolean isEmpty() {
        return last < first;
    }

    /**
     * Returns whether an ID is in this range.
     *
     * @param id any number
     * @return {@code true} if it is neither less than {@code first} nor greater than {@code last}
     */
    public boolean contains(long id) {
        return first <= id && id <= last;
    }
}
