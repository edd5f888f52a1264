package io.github.snowflakeid.test;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks of IDs that work with any assertion library: each one returns the IDs that break a rule, so that an assertion that expects an
 * empty list shows them when it fails. For IDs of a span of time, use {@link io.github.snowflakeid.IdRange#contains}.
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
     * @param ids the IDs in the order in which they were issued, to one thread
     * @return the IDs out of order; empty if the IDs ascend
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
