package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostTests {

    @TempDir
    Path directory;

    @Test
    void nameIsThatOfTheEnvironmentIfThereIsOne() throws Exception {
        Path kernel = Files.writeString(directory.resolve("hostname"), "kernel\n");

        assertThat(Host.localName(Map.of("HOSTNAME", "pod-3", "COMPUTERNAME", "PC"), kernel))
                .contains("pod-3");
        assertThat(Host.localName(Map.of("COMPUTERNAME", "PC"), kernel)).contains("PC");
        assertThat(Host.localName(Map.of("HOSTNAME", " "), kernel)).contains("kernel");
    }

    @Test
    void nameIsThatOfTheKernelIfTheEnvironmentHasNone() throws Exception {
        Path kernel = Files.writeString(directory.resolve("hostname"), "kernel-7\n");

        assertThat(Host.localName(Map.of(), kernel)).contains("kernel-7");
    }

    @Test
    void nameIsThatOfTheCommandIfTheKernelReturnsNone() {
        assertThat(Host.localName(Map.of(), directory.resolve("missing"))).isEqualTo(Host.printedBy("hostname"));
        assertThat(Host.localName(Map.of(), directory)).isEqualTo(Host.printedBy("hostname"));
    }

    @Test
    void commandThatFailsOrIsMissingPrintsNothing() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();

        assertThat(Host.printedBy("no-such-command-as-this")).isEmpty();
        assertThat(Host.printedBy(java, "-no-such-option")).isEmpty();
        assertThat(Host.printedBy(java, "--version").orElseThrow())
                .contains(Integer.toString(Runtime.version().feature()));
    }

    @Test
    void thisMachineIsKnownWithoutAskingANetwork() {
        Host here = Host.local();

        here.address().ifPresent(address -> assertThat(Host.isUnique(address)).isTrue());
        here.name().ifPresent(name -> assertThat(name).isNotBlank());
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, true",
        "172.17.0.2, true",
        "203.0.113.9, true",
        "fd00::1, true",
        "2001:db8::1, true",
        "127.0.0.1, false",
        "::1, false",
        "169.254.1.1, false",
        "fe80::1, false"
    })
    void onlyAnAddressOfTheMachinesOwnCounts(String address, boolean own) throws Exception {
        assertThat(Host.isUnique(InetAddress.getByName(address))).isEqualTo(own);
    }
}
