package io.github.snowflakeid.zookeeper;

import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.client.ConnectStringParser;

/** Translates failures of ZooKeeper. The messages have all that its own exceptions know, which are therefore no causes. */
record ZooKeeperExceptionTranslator(CuratorFramework client, String home) {

    private static final String OTHER_ROOT = """
            Take a path that nothing else uses:

            {snowflake}.worker.zookeeper.root: /snowflake-ids""";

    /** @param done what did not happen, for people */
    RuntimeException translate(Exception failed, String done) {
        if (client.getState() != CuratorFrameworkState.STARTED) {
            return notRunning();
        }
        if (failed instanceof KeeperException refused) {
            return ofServer(refused, done);
        }
        String why = failed.getMessage() == null ? failed.getClass().getSimpleName() : failed.getMessage();
        return Problem.STORE_REJECTED_CALL.exception(
                "Worker ids in %s were not %s: %s".formatted(where(), done, why), null, failed);
    }

    private RuntimeException notRunning() {
        boolean isLatent = client.getState() == CuratorFrameworkState.LATENT;
        return Problem.CLIENT_NOT_RUNNING
                .exception(
                        "The CuratorFramework that leases worker ids " + (isLatent ? "was not started" : "is closed"),
                        isLatent ? """
                                Start it where it is made:

                                @Bean(initMethod = "start", destroyMethod = "close")""" : "Close it after the generator, which gives its worker id back at its end.",
                        null)
                .unusable();
    }

    private RuntimeException ofServer(KeeperException refused, String done) {
        return switch (refused.code()) {
            case CONNECTIONLOSS, OPERATIONTIMEOUT, REQUESTTIMEOUT ->
                Problem.STORE_UNREACHABLE.exception(
                        "ZooKeeper at %s did not answer (%s)".formatted(address(), refused.code()), """
                        Start its servers, or say where they are:

                        {snowflake}.worker.zookeeper.connect-string: localhost:2181""", null);
            case NOAUTH -> notPermitted(done).unusable();
            case AUTHFAILED, SESSIONCLOSEDREQUIRESASLAUTH ->
                Problem.LOGIN_REJECTED
                        .exception(
                                "ZooKeeper at %s refuses the login (%s)".formatted(address(), refused.code()),
                                """
                                Make a client that logs in:

                                @Bean(initMethod = "start", destroyMethod = "close")
                                CuratorFramework zooKeeper() {
                                    return CuratorFrameworkFactory.builder()
                                            .connectString("localhost:2181")
                                            .authorization("digest", "user:password".getBytes(StandardCharsets.UTF_8))
                                            .retryPolicy(new ExponentialBackoffRetry(100, 3))
                                            .build();
                                }""",
                                null)
                        .unusable();
            case NONODE -> missing(done);
            default ->
                Problem.STORE_REJECTED_CALL.exception(
                        "Worker ids in %s were not %s (%s)".formatted(where(), done, refused.code()), null, null);
        };
    }

    private ConfigurationException notPermitted(String done) {
        String all = full(home);
        String root = home.lastIndexOf('/') == 0 ? all : all.substring(0, all.lastIndexOf('/'));
        return Problem.MISSING_PERMISSION.exception(
                "Worker ids in %s were not %s: this client may not create, read and write there"
                        .formatted(where(), done),
                """
                Let it, in zkCli.sh. In place of world:anyone, name whom this client logs in as:

                %ssetAcl -R %s world:anyone:cdrwa""".formatted(creations(root), root),
                null);
    }

    private RuntimeException missing(String done) {
        String chroot = chroot();
        if (chroot.isEmpty()) {
            return Problem.STORE_REJECTED_CALL.exception(
                    "Worker ids in %s were not %s: somebody deletes znodes there".formatted(where(), done), null, null);
        }
        return Problem.MISSING_DATABASE
                .exception(
                        "ZooKeeper at %s has no znode %s, in which the connect string lets this client work"
                                .formatted(address(), chroot),
                        "Create it, in zkCli.sh:\n\n" + creations(chroot).stripTrailing(),
                        null)
                .unusable();
    }

    /** Commands that create a znode and those above it, where they are missing. */
    private static String creations(String path) {
        StringBuilder commands = new StringBuilder();
        for (int end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) {
            commands.append("create ").append(path, 0, end).append('\n');
        }
        return commands.append("create ").append(path).append('\n').toString();
    }

    /** A znode that is not of this library. */
    RuntimeException foreign(WorkerNode found) {
        String line = found.text().lines().findFirst().orElse("");
        return Problem.FOREIGN_DATA
                .exception(
                        "The znode %s of ZooKeeper at %s is none of worker ids, or of another version: its data begin with '%s'"
                                .formatted(
                                        ControlCharacters.escape(full(found.path())),
                                        address(),
                                        ControlCharacters.escape(line.substring(0, Math.min(line.length(), 50)))),
                        OTHER_ROOT,
                        null)
                .unusable();
    }

    private String where() {
        return "%s of ZooKeeper at %s".formatted(full(home), address());
    }

    /** A path as others see it, who work in the root. */
    private String full(String path) {
        return chroot() + ZKPaths.fixForNamespace(client.getNamespace(), path);
    }

    private String chroot() {
        String chroot = new ConnectStringParser(connectString()).getChrootPath();
        return chroot == null ? "" : chroot;
    }

    private String address() {
        String servers = connectString();
        int chroot = servers.indexOf('/');
        return chroot < 0 ? servers : servers.substring(0, chroot);
    }

    private String connectString() {
        return client.getZookeeperClient().getCurrentConnectionString();
    }
}
