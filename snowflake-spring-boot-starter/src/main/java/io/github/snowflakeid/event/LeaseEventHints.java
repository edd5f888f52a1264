package io.github.snowflakeid.event;

import io.github.snowflakeid.worker.WorkerLease;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Hints for native images: the {@code condition} of an {@code @EventListener} calls accessors of the event by
 * reflection.
 */
final class LeaseEventHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        for (Class<?> type : List.of(
                SnowflakeLeaseEvent.class,
                SnowflakeLeaseEvent.Kind.class,
                WorkerLease.class,
                WorkerLease.State.class)) {
            hints.reflection().registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS);
        }
    }
}
