package io.github.snowflakeid.it.actuator.crac;

/**
 * Stands for {@code jdk.crac.Core} in a JVM that cannot take checkpoints: notifies all resources as if it took a checkpoint and was
 * restored from it at once. {@code org.crac} uses it if the system property {@code org.crac.Core.Compat} names its package.
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

    /** Sets an action to run at the time of the checkpoint. */
    public static void image(Runnable action) {
        image = action;
    }
}
