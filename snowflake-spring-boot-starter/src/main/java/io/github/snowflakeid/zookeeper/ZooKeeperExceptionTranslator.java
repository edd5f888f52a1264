package io.github.snowflakeid.zookeeper;

import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.internal.failure.Causes;
import io.github.snowflakeid.internal.failure.Problem;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.client.ConnectStringParser;

/**
 * Translates failures of ZooKeeper. The messages contain everything that ZooKeeper's exceptions say, so these are not
 * added as causes.
 *
 * @param client the client
 * @param home the znode of the namespace
 */
record ZooKeeperExceptionTranslator(CuratorFramework client, String home) {

    /** @param done the participle for the failed access, such as "read" */
    RuntimeException translate(Exception failed, String done) {
        if (client.getState() != CuratorFrameworkState.STARTED) {
            return unusable(
                    Problem.CLIENT_NOT_RUNNING,
                    "Worker IDs cannot be leased in ZooKeeper: the state of the CuratorFramework is "
                            + client.getState(),
                    """
                    Start it before the generator, which leases a worker ID, and close it after the generator, which releases the worker ID:

                    @Bean(initMethod = "start", destroyMethod = "close")

                    or give leases a dedicated client:

                    {snowflake}.worker.zookeeper.connect-string: localhost:2181""");
        }
        String what = "Worker IDs in %s of ZooKeeper at %s were not %s".formatted(full(home), address(), done);
        if (!(failed instanceof KeeperException exception)) {
            return Problem.STORE_UNREACHABLE.exception(what + ": " + Causes.message(failed), null, failed);
        }
        return switch (exception.code()) {
            case CONNECTIONLOSS, OPERATIONTIMEOUT, REQUESTTIMEOUT ->
                Problem.STORE_UNREACHABLE.exception(
                        "ZooKeeper at %s did not answer (%s)".formatted(address(), exception.code()), """
                        Start its servers, or set their addresses:

                        {snowflake}.worker.zookeeper.connect-string: localhost:2181""");
            case NOAUTH -> {
                String all = full(home);
                String root = home.lastIndexOf('/') == 0 ? all : all.substring(0, all.lastIndexOf('/'));
                yield unusable(
                        Problem.MISSING_PERMISSION,
                        what + ": this client lacks the permission to create, read and write there",
                        """
                        Grant the permission in zkCli.sh. Replace world:anyone with the user of this client:

                        %s
                        setAcl -R %s world:anyone:cdrwa""".formatted(creations(root), root));
            }
            case AUTHFAILED, SESSIONCLOSEDREQUIRESASLAUTH ->
                unusable(
                        Problem.LOGIN_REJECTED,
                        "ZooKeeper at %s rejects the login (%s)".formatted(address(), exception.code()),
                        """
                        Declare a CuratorFramework bean that logs in, for example with

                        CuratorFrameworkFactory.builder().authorization("digest", "user:password".getBytes())""");
            case NONODE ->
                unusable(
                        Problem.STORE_UNUSABLE,
                        "ZooKeeper at %s has no znode %s, which is the root path in the connect string"
                                .formatted(address(), chroot()),
                        "Create it in zkCli.sh:\n\n" + creations(chroot()));
            default -> Problem.STORE_REJECTED_CALL.exception(what + " (" + exception.code() + ")", null, null);
        };
    }

    /** Returns commands that create a znode and its missing parents. */
    private static String creations(String path) {
        StringBuilder commands = new StringBuilder();
        for (int end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) {
            commands.append("create ").append(path, 0, end).append('\n');
        }
        return commands.append("create ").append(path).toString();
    }

    /** Returns the exception for a znode that another program or another version of this library has created. */
    RuntimeException foreign(String key) {
        return unusable(
                Problem.FOREIGN_DATA,
                "Znode %s of ZooKeeper at %s is not a lease of a worker ID"
                        .formatted(ControlCharacters.escape(full(key)), address()),
                "Set a path that no other program uses:\n\n{snowflake}.worker.zookeeper.root: /snowflake-ids");
    }

    private static RuntimeException unusable(Problem problem, String message, String action) {
        return problem.exception(message, action).unusable();
    }

    /** Returns a path as a client without a root path sees it. */
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
