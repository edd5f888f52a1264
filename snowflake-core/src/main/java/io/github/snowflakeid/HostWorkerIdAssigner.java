package io.github.snowflakeid;

import java.math.BigInteger;
import java.net.InetAddress;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Derives worker IDs from the name and the network address of the host. */
final class HostWorkerIdAssigner implements WorkerIdAssigner {

    private static final Pattern TRAILING_NUMBER = Pattern.compile("(?:.*[^0-9])?([0-9]+)");

    /**
     * Host names that a container platform generates: the short container ID, which is Docker's default host name, and
     * the names of pods of a Kubernetes Deployment, DaemonSet or Job, which end in five characters of its "safe"
     * alphabet. If such a name ends in digits, they are too few and too unevenly distributed to be used as a number.
     */
    private static final Pattern RANDOM_NAME =
            Pattern.compile("[0-9a-f]{12}|.*-(?![0-9]{5}$)[bcdfghjklmnpqrstvwxz2456789]{5}");

    private final HostSource source;
    private final OptionalInt datacenterId;
    private final Supplier<Host> host;

    HostWorkerIdAssigner(HostSource source, OptionalInt datacenterId, Supplier<Host> host) {
        this.source = source;
        this.datacenterId = datacenterId;
        this.host = host;
    }

    @Override
    public WorkerId assign(IdLayout layout) {
        Host here = host.get();
        String name = nameOf(here);
        Matcher trailing = TRAILING_NUMBER.matcher(name);
        boolean isNumbered = trailing.matches() && !RANDOM_NAME.matcher(name).matches();
        BigInteger number = isNumbered ? new BigInteger(trailing.group(1)) : BigInteger.valueOf(hash(name));
        String origin = (isNumbered ? "number at the end of" : "hash of") + " host name '" + name + "'";
        int datacenterBits = layout.datacenterBits();
        int datacenter;
        if (datacenterId.isPresent()) {
            datacenter = datacenterId.getAsInt();
        } else if (source == HostSource.NAME || datacenterBits == 0) {
            datacenter = lowest(datacenterBits, number.shiftRight(layout.workerBits()));
        } else {
            InetAddress address = here.address()
                    .orElseThrow(
                            () -> new WorkerIdUnavailableException(
                                    "No usable network address to derive a datacenter ID from (none, or only loopback, link-local and container bridge addresses); derive it from the host name, too, or use a fixed worker ID"));
            datacenter = lowest(datacenterBits, new BigInteger(1, address.getAddress()));
            origin += ", datacenter ID from address " + address.getHostAddress();
        }
        long possible = 1L << (layout.workerBits() + (datacenterId.isPresent() ? 0 : datacenterBits));
        String warning =
                "derived from this host, so another process may derive the same values and generate the same IDs; only "
                        + possible + " different values are possible";
        return new WorkerId(datacenter, lowest(layout.workerBits(), number), origin, warning);
    }

    private static int lowest(int bits, BigInteger number) {
        return number.mod(BigInteger.ONE.shiftLeft(bits)).intValue();
    }

    private static String nameOf(Host host) {
        String name = host.name().orElse("").strip().toLowerCase(Locale.ROOT).split("\\.", 2)[0];
        if (name.isEmpty() || name.equals("localhost")) {
            String found = host.name().map(text -> "'" + text + "'").orElse("none");
            throw new WorkerIdUnavailableException(
                    "No usable host name to derive a worker ID from (found: %s); use a fixed worker ID"
                            .formatted(found));
        }
        return name;
    }

    /**
     * FNV-1a over the characters, followed by the finalizer of MurmurHash3, so that names that differ in one character,
     * as host names often do, differ in all bits of the hash.
     */
    private static long hash(String name) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return hash ^ (hash >>> 33);
    }
}
