package io.github.snowflakeid.it.actuator.crac;

/**
 * As {@code jdk.crac.Core}, for a JVM that cannot take checkpoints: tells everybody who wants to know, as if it took one and were
 * restored from it at once. {@code org.crac} takes it where the system property {@code org.crac.Core.Compat} names its package.
 */
public final class Core {

    private static final Context<Resource> GLOBAL = new Context<>();

    private static volatile Runnable image = () -> {};

    private Core() {}

    public static Context<Resource> getGlobalContext() {
        return GLOBAL;
    }

    public static void checkpointRestore() throws CheckpointException, RestoreException {
        try {
            GLOBAL.checkpoint(image);
        } catch (Exception e) {
            throw new CheckpointException(e);
        }
    }

    /** What is done at the time of the checkpoint. */
    public static void image(Runnable action) {
        image = action;
    }
}
