package io.github.snowflakeid.it.actuator.crac;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** As {@code jdk.crac.Context}, the global one. */
public final class Context<R extends Resource> {

    private final List<R> resources = Collections.synchronizedList(new ArrayList<>());

    Context() {}

    public void register(R resource) {
        resources.add(resource);
    }

    /** Those that came last are told first, and after it last. */
    void checkpoint(Runnable image) throws Exception {
        List<R> all = new ArrayList<>(resources);
        Collections.reverse(all);
        for (R resource : all) {
            resource.beforeCheckpoint(this);
        }
        image.run();
        Collections.reverse(all);
        for (R resource : all) {
            resource.afterRestore(this);
        }
    }
}
