package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostWorkerIdAssignerTests {

    @ParameterizedTest
    @CsvSource({
        "orders-3,                    3",
        "orders-0,                    0",
        "orders-31,                   31",
        "orders-32,                   0",
        "orders-35,                   3",
        "ORDERS-3,                    3",
        "orders-3.orders.default.svc, 3",
        "web01,                       1",
        "prod-web12,                  12",
        "ip-10-0-3-17,                17",
        "17,                          17",
        "orders-24567,                23",
        "node-20240611093000123456789012345678901, 21"
    })
    void numberAtTheEndOfTheHostNameIsTheWorkerId(String name, int workerId) {
        WorkerId assigned = assign(HostSource.AUTO, name, "10.0.0.9");

        assertThat(assigned.workerId()).isEqualTo(workerId);
        assertThat(assigned.datacenterId()).isEqualTo(9);
        assertThat(assigned.origin())
                .startsWith("number at the end of host name '")
                .endsWith("', datacenter ID from address 10.0.0.9");
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders", "3-orders", "3f0c1d2e4a56", "orders-6d4b75cb6d-x2k47", "agent-zz229"})
    void otherNamesAreHashedIncludingThoseThatAPlatformGenerated(String name) {
        assertThat(assign(HostSource.AUTO, name, "10.0.0.9").origin())
                .isEqualTo("hash of host name '" + name + "', datacenter ID from address 10.0.0.9");
    }

    @Test
    void sameHostGetsTheSameIdsAgain() {
        assertThat(assign(HostSource.AUTO, "orders", "10.0.0.9"))
                .isEqualTo(assign(HostSource.AUTO, "orders", "10.0.0.9"))
                .isEqualTo(new WorkerId(
                        9,
                        assign(HostSource.NAME, "orders", "10.1.1.1").workerId(),
                        "hash of host name 'orders', datacenter ID from address 10.0.0.9",
                        assign(HostSource.AUTO, "orders", "10.0.0.9").warning()));
    }

    @Test
    void consecutiveAddressesGiveConsecutiveDatacenterIds() {
        for (int i = 0; i < 200; i++) {
            assertThat(assign(HostSource.AUTO, "orders-1", "10.0.7." + i).datacenterId())
                    .isEqualTo(i % 32);
            assertThat(assign(HostSource.AUTO, "orders-1", "fd00::7:" + Integer.toHexString(i))
                            .datacenterId())
                    .isEqualTo(i % 32);
        }
    }

    @Test
    void nameAloneFillsWorkerIdFirstAndThenDatacenterId() {
        assertThat(assign(HostSource.NAME, "orders-100", "10.0.0.9"))
                .returns(3, WorkerId::datacenterId)
                .returns(4, WorkerId::workerId)
                .returns("number at the end of host name 'orders-100'", WorkerId::origin);
    }

    /**
     * Versions run at the same time during an update. The expected values were computed apart from the code under test.
     */
    @ParameterizedTest
    @CsvSource({
        "orders,                  13, 25",
        "db,                      14, 17",
        "7f9c2ba4e88f,            24, 12",
        "orders-7d4b9c6f5d-x2k8p, 21, 27",
        "warehouse-blue,          2,  7"
    })
    void nameThatIsHashedGivesTheSameIdsInEveryVersion(String name, int datacenterId, int workerId) {
        assertThat(assign(HostSource.NAME, name, "10.0.0.9"))
                .returns(datacenterId, WorkerId::datacenterId)
                .returns(workerId, WorkerId::workerId);
    }

    @Test
    void namesOfOneKindFillTheWholeFieldAsEvenlyAsChanceWould() {
        // Other libraries generate only 32 of 1024 values for names with the same ending.
        Set<Integer> ids = new TreeSet<>();
        for (int i = 0; i < 2000; i++) {
            WorkerId assigned = assign(HostSource.NAME, "app" + Integer.toHexString(i) + "x-1-host", "10.0.0.1");
            ids.add(assigned.datacenterId() * 32 + assigned.workerId());
        }

        // 2000 draws out of 1024 leave 14 % out on average.
        assertThat(ids.size()).isBetween(840, 930);
    }

    @Test
    void knownDatacenterIdReplacesTheGuess() {
        for (HostSource source : HostSource.values()) {
            WorkerId assigned = new HostWorkerIdAssigner(source, OptionalInt.of(5), () -> host("orders-3", "10.0.0.3"))
                    .assign(IdLayout.DEFAULT);

            assertThat(assigned.datacenterId()).isEqualTo(5);
            assertThat(assigned.workerId()).isEqualTo(3);
            assertThat(assigned.warning()).contains("only 32 different values");
        }
    }

    @Test
    void layoutWithoutDatacenterBitsNeedsNoAddress() {
        WorkerId assigned = new HostWorkerIdAssigner(
                        HostSource.AUTO,
                        OptionalInt.empty(),
                        () -> new Host(Optional.of("orders-1000"), Optional.empty()))
                .assign(IdLayout.LEAF);

        assertThat(assigned.datacenterId()).isZero();
        assertThat(assigned.workerId()).isEqualTo(1000);
        assertThat(assigned.origin()).isEqualTo("number at the end of host name 'orders-1000'");
    }

    @Test
    void warningSaysHowManyDifferentValuesThereAre() {
        assertThat(assign(HostSource.AUTO, "orders-3", "10.0.0.9").warning())
                .isEqualTo(
                        "derived from this host, so another process may derive the same values and generate the same IDs;"
                                + " only 1024 different values are possible");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "localhost", "localhost.localdomain", "LOCALHOST"})
    void hostNameThatEveryMachineHasIsNoHostName(String name) {
        assertThatExceptionOfType(WorkerIdUnavailableException.class)
                .isThrownBy(() -> assign(HostSource.AUTO, name, "10.0.0.9"))
                .withMessage("No usable host name to derive a worker ID from (found: '" + name
                        + "'); use a fixed worker ID");
    }

    @Test
    void missingHostNameIsAnError() {
        Host nameless = new Host(Optional.empty(), Optional.of(address("10.0.0.9")));

        for (HostSource source : HostSource.values()) {
            assertThatExceptionOfType(WorkerIdUnavailableException.class)
                    .isThrownBy(() -> new HostWorkerIdAssigner(source, OptionalInt.empty(), () -> nameless)
                            .assign(IdLayout.DEFAULT))
                    .withMessage(
                            "No usable host name to derive a worker ID from (found: none);" + " use a fixed worker ID");
        }
    }

    @Test
    void missingAddressIsAnErrorOnlyIfItIsNeeded() {
        Host offline = new Host(Optional.of("orders-3"), Optional.empty());

        assertThatExceptionOfType(WorkerIdUnavailableException.class)
                .isThrownBy(() -> new HostWorkerIdAssigner(HostSource.AUTO, OptionalInt.empty(), () -> offline)
                        .assign(IdLayout.DEFAULT))
                .withMessage("No usable network address to derive a datacenter ID from"
                        + " (none, or only loopback, link-local and container bridge addresses);"
                        + " derive it from the host name, too, or use a fixed worker ID");
        assertThat(new HostWorkerIdAssigner(HostSource.NAME, OptionalInt.empty(), () -> offline)
                        .assign(IdLayout.DEFAULT)
                        .workerId())
                .isEqualTo(3);
    }

    @Test
    void assignersCreatedByTheInterfaceExamineThisMachine() {
        assertThat(WorkerIdAssigner.host(HostSource.NAME)
                        .assign(IdLayout.DEFAULT)
                        .origin())
                .contains(Host.local()
                        .name()
                        .orElseThrow()
                        .toLowerCase(Locale.ROOT)
                        .split("\\.")[0]);
        assertThat(WorkerIdAssigner.host(HostSource.NAME, 7).assign(IdLayout.DEFAULT))
                .returns(7, WorkerId::datacenterId);
    }

    @Test
    void fixedAssignerReturnsTheGivenWorkerId() {
        assertThat(WorkerIdAssigner.fixed(3, 4).assign(IdLayout.DEFAULT))
                .isEqualTo(new WorkerId(3, 4, "configured", null));
    }

    private static WorkerId assign(HostSource source, String name, String address) {
        return new HostWorkerIdAssigner(source, OptionalInt.empty(), () -> host(name, address))
                .assign(IdLayout.DEFAULT);
    }

    private static Host host(String name, String address) {
        return new Host(Optional.of(name), Optional.of(address(address)));
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
