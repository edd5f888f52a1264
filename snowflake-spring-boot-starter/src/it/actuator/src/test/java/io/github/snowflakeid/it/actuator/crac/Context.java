package io.github.snowflakeid.it.actuator.crac;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Stands for the global {@code jdk.crac.Context}. */
public final class Context<R extends Resource> {

    private final List<R> resources = Collections.synchronizedList(new ArrayList<>());

    Context() {}

    public void register(R resource) {
        resources.add(resource);
    }

    /** Resources that were registered last are notified first before the checkpoint, and last after it. */
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
