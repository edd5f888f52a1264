package io.github.snowflakeid.it.actuator.crac;

/** Stands for {@code jdk.crac.Resource}. */
public interface Resource {

    void beforeCheckpoint(Context<? extends Resource> context) throws Exception;

    void afterRestore(Context<? extends Resource> context) throws Exception;
}
