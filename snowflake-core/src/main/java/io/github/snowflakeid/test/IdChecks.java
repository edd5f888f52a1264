package io.github.snowflakeid.test;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks on collections of IDs, for use with any assertion library. Each method returns the IDs that violate a rule, so an assertion that
 * the list is empty shows them when it fails. To check that IDs lie in a span of time, use {@link io.github.snowflakeid.IdRange#contains}.
 *
 * @since 0.1.0
 */
public final class IdChecks {

    private IdChecks() {}

    /**
     * Returns the IDs that occur more than once.
     *
     * @param ids the IDs, for example of all threads of a test
     * @return each repeated ID once; empty if all IDs are distinct
     */
    public static List<Long> duplicates(Collection<Long> ids) {
        Set<Long> seen = new HashSet<>();
        return ids.stream().filter(id -> !seen.add(id)).distinct().toList();
    }

    /**
     * Returns the IDs that are not greater than the ID before them.
     *
     * @param ids the IDs in the order in which one thread received them
     * @return the IDs that are out of order; empty if the IDs ascend
     */
    public static List<Long> outOfOrder(Collection<Long> ids) {
        List<Long> outOfOrder = new ArrayList<>();
        long before = Long.MIN_VALUE;
        for (long id : ids) {
            if (id <= before) {
                outOfOrder.add(id);
            }
            before = id;
        }
        return outOfOrder;
    }
}
