package io.github.snowflakeid.worker;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What tells this machine from others, as far as it is known without asking a network.
 *
 * @param name the host name
 * @param address an address that is neither loopback nor link-local nor that of a bridge between containers
 */
record Host(Optional<String> name, Optional<InetAddress> address) {

    private static final Path NAME_IN_KERNEL = Path.of("/proc/sys/kernel/hostname");

    /** Bridges and tunnels, which have the same addresses on many machines. */
    private static final Pattern BRIDGE =
            Pattern.compile("(docker|podman|br-|veth|virbr|vmnet|vboxnet|cni|flannel|cali|lxc|lxd|tun|tap|utun).*");

    /** The machine that this process runs on. */
    static Host local() {
        return new Host(localName(), localAddress());
    }

    /** Its name alone, which takes less. */
    static Optional<String> localName() {
        return localName(System.getenv(), NAME_IN_KERNEL);
    }

    /**
     * {@link InetAddress#getLocalHost()} may ask a name server, and hang for many seconds. So this is what the platform
     * put into the environment, else what the kernel says, else what the command of that name says.
     */
    static Optional<String> localName(Map<String, String> environment, Path nameInKernel) {
        for (String variable : new String[] {"HOSTNAME", "COMPUTERNAME"}) {
            String name = environment.get(variable);
            if (name != null && !name.isBlank()) {
                return Optional.of(name);
            }
        }
        try {
            return Optional.of(Files.readString(nameInKernel).strip());
        } catch (IOException e) {
            return printedBy("hostname");
        }
    }

    /** The first line that a command prints. */
    static Optional<String> printedBy(String... command) {
        try (BufferedReader output = new ProcessBuilder(command).start().inputReader()) {
            return Optional.ofNullable(output.readLine());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<InetAddress> localAddress() {
        try {
            return NetworkInterface.networkInterfaces()
                    .filter(network -> !BRIDGE.matcher(network.getName()).matches() && isUp(network))
                    .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(Host::isOwn)
                    .min(Comparator.comparing(address -> !(address instanceof Inet4Address)));
        } catch (SocketException e) {
            return Optional.empty();
        }
    }

    private static boolean isUp(NetworkInterface network) {
        try {
            return network.isUp();
        } catch (SocketException e) {
            return false;
        }
    }

    static boolean isOwn(InetAddress address) {
        return !address.isLoopbackAddress() && !address.isLinkLocalAddress();
    }
}
