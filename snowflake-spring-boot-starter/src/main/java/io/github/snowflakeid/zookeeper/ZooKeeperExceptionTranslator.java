package io.github.snowflakeid.zookeeper;

import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.internal.failure.Problem;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.client.ConnectStringParser;

/** Translates failures of ZooKeeper. The messages have all that its own exceptions know, which are therefore no causes. */
record ZooKeeperExceptionTranslator(CuratorFramework client, String home) {

    /** @param done what did not happen, for people */
    RuntimeException translate(Exception failed, String done) {
        if (client.getState() != CuratorFrameworkState.STARTED) {
            boolean isLatent = client.getState() == CuratorFrameworkState.LATENT;
            return unusable(
                    Problem.CLIENT_NOT_RUNNING,
                    isLatent
                            ? "The CuratorFramework that leases worker ids was not started"
                            : "The CuratorFramework that leases worker ids is closed",
                    isLatent
                            ? "Start it where it is declared:\n\n@Bean(initMethod = \"start\", destroyMethod = \"close\")"
                            : "Close it after the generator, which releases its worker ID at its end.");
        }
        String what = "Worker ids in %s of ZooKeeper at %s were not %s".formatted(full(home), address(), done);
        if (!(failed instanceof KeeperException refused)) {
            String why = failed.getMessage() == null ? failed.getClass().getSimpleName() : failed.getMessage();
            return Problem.STORE_UNREACHABLE.exception(what + ": " + why, null, failed);
        }
        return switch (refused.code()) {
            case CONNECTIONLOSS, OPERATIONTIMEOUT, REQUESTTIMEOUT ->
                Problem.STORE_UNREACHABLE.exception(
                        "ZooKeeper at %s did not answer (%s)".formatted(address(), refused.code()), """
                        Start its servers, or set where they are:

                        {snowflake}.worker.zookeeper.connect-string: localhost:2181""", null);
            case NOAUTH -> {
                String all = full(home);
                String root = home.lastIndexOf('/') == 0 ? all : all.substring(0, all.lastIndexOf('/'));
                yield unusable(
                        Problem.MISSING_PERMISSION,
                        what + ": this client may not create, read and write there",
                        """
                        Permit it, in zkCli.sh. In place of world:anyone, name the user that this client logs in as:

                        %ssetAcl -R %s world:anyone:cdrwa""".formatted(creations(root), root));
            }
            case AUTHFAILED, SESSIONCLOSEDREQUIRESASLAUTH ->
                unusable(
                        Problem.LOGIN_REJECTED,
                        "ZooKeeper at %s refuses the login (%s)".formatted(address(), refused.code()),
                        """
                        Declare a CuratorFramework bean that logs in, for example with

                        CuratorFrameworkFactory.builder().authorization("digest", "user:password".getBytes())""");
            case NONODE ->
                chroot().isEmpty()
                        ? Problem.STORE_UNUSABLE.exception(what + ": znodes are deleted there", null, null)
                        : unusable(
                                Problem.STORE_UNUSABLE,
                                "ZooKeeper at %s has no znode %s, in which the connect string lets this client work"
                                        .formatted(address(), chroot()),
                                "Create it, in zkCli.sh:\n\n"
                                        + creations(chroot()).stripTrailing());
            default -> Problem.STORE_REJECTED_CALL.exception(what + " (" + refused.code() + ")", null, null);
        };
    }

    /** Returns commands that create a znode and those above it, if they are missing. */
    private static String creations(String path) {
        StringBuilder commands = new StringBuilder();
        for (int end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) {
            commands.append("create ").append(path, 0, end).append('\n');
        }
        return commands.append("create ").append(path).append('\n').toString();
    }

    /** Another program, or another version of this library, created the znode. */
    RuntimeException foreign(WorkerNode found) {
        String line = found.text().lines().findFirst().orElse("");
        return unusable(
                Problem.FOREIGN_DATA,
                "The znode %s of ZooKeeper at %s is none of worker ids, or of another version: its data begin with '%s'"
                        .formatted(
                                ControlCharacters.escape(full(found.path())),
                                address(),
                                ControlCharacters.escape(line.substring(0, Math.min(line.length(), 50)))),
                "Set a path that nothing else uses:\n\n{snowflake}.worker.zookeeper.root: /snowflake-ids");
    }

    private static RuntimeException unusable(Problem problem, String message, String action) {
        return problem.exception(message, action).unusable();
    }

    /** Returns a path as clients see it that work in the root. */
    private String full(String path) {
        return chroot() + ZKPaths.fixForNamespace(client.getNamespace(), path);
    }

    private String chroot() {
        String chroot = new ConnectStringParser(connectString()).getChrootPath();
        return chroot == null ? "" : chroot;
    }

    private String address() {
        return connectString().split("/", 2)[0];
    }

    private String connectString() {
        return client.getZookeeperClient().getCurrentConnectionString();
    }
}
