package io.github.snowflakeid.worker;

import java.io.FileInputStream;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * What tells this machine from others, as far as it is known without asking a network.
 *
 * @param name the host name
 * @param address an address that is neither loopback nor link-local nor that of a bridge between containers
 */
record Host(Optional<String> name, Optional<InetAddress> address) {

    private static final int SECONDS_TO_PRINT = 2;
    private static final Path NAME_IN_KERNEL = Path.of("/proc/sys/kernel/hostname");

    /** The machine that this process runs on. */
    static Host local() {
        return new Host(localName(), Addresses.first());
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
        Optional<String> ofKernel = nameIn(nameInKernel);
        return ofKernel.isPresent() ? ofKernel : printedBy(SECONDS_TO_PRINT, "hostname");
    }

    /** By a stream, since a channel loads twenty classes at the start. */
    private static Optional<String> nameIn(Path file) {
        try (FileInputStream name = new FileInputStream(file.toFile())) {
            return Optional.of(new String(name.readAllBytes(), StandardCharsets.UTF_8).strip());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The output of a command that ends well, and in time. */
    static Optional<String> printedBy(int seconds, String... command) {
        try {
            Process process = new ProcessBuilder(command).start();
            try {
                return process.waitFor(seconds, TimeUnit.SECONDS) && process.exitValue() == 0
                        ? Optional.of(
                                new String(process.getInputStream().readAllBytes(), Charset.defaultCharset()).strip())
                        : Optional.empty();
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    static boolean isOwn(InetAddress address) {
        return !address.isLoopbackAddress()
                && !address.isLinkLocalAddress()
                && !address.isAnyLocalAddress()
                && !address.isMulticastAddress();
    }

    /** Apart, since few ask for addresses, and looking at all networks takes a while. */
    private static final class Addresses {

        /** Bridges and tunnels, which have the same addresses on many machines. */
        private static final Pattern BRIDGE =
                Pattern.compile("(docker|podman|br-|veth|virbr|vmnet|vboxnet|cni|flannel|cali|lxc|lxd|tun|tap|utun).*");

        static Optional<InetAddress> first() {
            try {
                return NetworkInterface.networkInterfaces()
                        .filter(network -> !BRIDGE.matcher(network.getName()).matches())
                        .filter(Addresses::isUp)
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
    }
}
