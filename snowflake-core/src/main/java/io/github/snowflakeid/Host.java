package io.github.snowflakeid;

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
 * The name and the address that distinguish this machine from others, as far as they are known without a network
 * request.
 *
 * @param name the host name
 * @param address an address that is not loopback, not link-local, and not the address of a container bridge
 */
record Host(Optional<String> name, Optional<InetAddress> address) {

    private static final Path NAME_IN_KERNEL = Path.of("/proc/sys/kernel/hostname");

    /** The names of bridges and tunnels, which have the same addresses on many machines. */
    private static final Pattern BRIDGE =
            Pattern.compile("(docker|podman|br-|veth|virbr|vmnet|vboxnet|cni|flannel|cali|lxc|lxd|tun|tap|utun).*");

    /** Returns the machine that this process runs on. */
    static Host local() {
        return new Host(localName(), localAddress());
    }

    /** Returns the name of this machine. Cheaper than {@link #local()}. */
    static Optional<String> localName() {
        return localName(System.getenv(), NAME_IN_KERNEL);
    }

    /**
     * Returns the host name from the environment, else from the kernel, else from the {@code hostname} command.
     * {@link InetAddress#getLocalHost()} is not used because it may ask a name server and block for many seconds.
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

    /** Returns the first line that a command prints. */
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
                    .filter(Host::isUnique)
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

    static boolean isUnique(InetAddress address) {
        return !address.isLoopbackAddress() && !address.isLinkLocalAddress();
    }
}
