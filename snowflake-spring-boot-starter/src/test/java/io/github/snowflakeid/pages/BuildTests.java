package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls functions of {@code .ci/run} on machines whose programs and archives are simulated, and checks POMs. */
class BuildTests {

    private static final String DEBIAN = """
            Types: deb
            URIs: http://archive.example/debian
            Suites: bookworm
            """;

    /** The file of the image {@code ubuntu-24.04}. */
    private static final String UBUNTU = """
            Types: deb
            URIs: mirror+file:/etc/apt/apt-mirrors.txt
            Suites: noble noble-updates noble-backports noble-security
            Components: main universe restricted multiverse
            Signed-By: /usr/share/keyrings/ubuntu-archive-keyring.gpg
            """;

    @TempDir
    private Path machine;

    @BeforeEach
    void hasOnlyProgramsThatEveryMachineHas() throws Exception {
        Files.createDirectories(machine.resolve("apt/sources.list.d"));
        Files.createDirectory(machine.resolve("bin"));
        for (String name : "bash cat awk mkdir rm dirname mktemp tee grep touch chmod id sed sort".split(" ")) {
            Path program = Stream.of("/usr/bin", "/bin")
                    .map(directory -> Path.of(directory, name))
                    .filter(Files::exists)
                    .findFirst()
                    .orElseThrow();
            program(name, "exec %s \"$@\"".formatted(program));
        }
        program("promtool", "exit 0");
    }

    private void program(String name, String code) throws IOException {
        Path program = machine.resolve("bin").resolve(name);
        Files.writeString(program, "#!/bin/bash\n" + code + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
    }

    private String run(String sources, String functions) throws Exception {
        Files.writeString(machine.resolve("apt/sources.list.d/sources"), sources);
        ProcessBuilder builder = new ProcessBuilder(
                        machine.resolve("bin/bash").toString(), "-c", ". .ci/run; trap report EXIT; " + functions)
                .directory(Page.ROOT.toFile())
                .redirectErrorStream(true);
        builder.environment().clear();
        builder.environment()
                .putAll(Map.of(
                        "PATH", machine.resolve("bin").toString(),
                        "XDG_CACHE_HOME", machine.toString(),
                        "TMPDIR", machine.toString(),
                        "apt", machine.resolve("apt").toString()));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }

    @Test
    void listsServersThatUbuntuDoesNotHave() throws Exception {
        program("apt-get", "echo must not run; exit 1");

        assertThat(run(UBUNTU, "get_servers")).endsWith("""
                === Not tested on this machine:
                - leases on etcd: not on the PATH, and apt-get has no archive of Debian
                - leases on consul: not on the PATH, and apt-get has no archive of Debian
                """);
    }

    @Test
    void unpacksServersFromPackagesOfDebian() throws Exception {
        // An archive without sources is enough.
        program("apt-get", """
                case "$*" in
                    *update*) ! grep deb-src sources.list;;
                    *download*) touch "${!#}_1_amd64.deb";;
                esac""");
        program("dpkg-deb", """
                mkdir -p "$3/usr/bin"
                for name in etcd consul; do
                    case $2 in *$name*) touch "$3/usr/bin/$name"; chmod +x "$3/usr/bin/$name";; esac
                done""");

        assertThat(run(DEBIAN, "get_servers; command -v etcd consul"))
                .isEqualTo(Stream.of("etcd", "consul")
                        .map(each ->
                                machine.resolve("snowflake-servers/usr/bin").resolve(each) + "\n")
                        .reduce("", String::concat));
    }

    @Test
    void listsServersThatTheArchiveDoesNotBringInTwoAttempts() throws Exception {
        program("apt-get", "echo x >>\"$XDG_CACHE_HOME/attempts\"; exit 1");

        assertThat(run(DEBIAN, "get_servers"))
                .endsWith(
                        "- leases on etcd: not on the PATH, and apt-get could not bring the package etcd-server of Debian trixie\n"
                                + "- leases on consul: not on the PATH, and apt-get could not bring the package consul of Debian bullseye\n");
        assertThat(machine.resolve("attempts")).hasContent("x\nx\nx\nx");
    }

    @Test
    void listsTheApiServerThatCannotBeBuilt() throws Exception {
        program("apt-get", "exit 1");

        assertThat(run(DEBIAN, "get_api_server"))
                .endsWith(
                        "- leases on Kubernetes: kube-apiserver is not on the PATH, and could not be built: see %s/snowflake-servers/kubernetes.log\n"
                                .formatted(machine));
    }

    @Test
    void listsThePageOfTheSampleWithoutABrowser() throws Exception {
        program("id", "echo 1001");

        assertThat(run(UBUNTU, "get_browser")).endsWith("""
                === Not tested on this machine:
                - the page of the sample: no chromium and chromedriver on the PATH, and no permission to install them
                """);
    }

    @Test
    void findsTheNewestVersionOfSpringBoot() throws Exception {
        program("mvn", """
                directory=$TMPDIR/org/springframework/boot/spring-boot-dependencies
                mkdir -p "$directory"
                case $* in *:get*) for each in 4.1.10 3.5.16 4.2.0-M2 4.1.9 $released; do
                    echo "      <version>$each</version>"
                done >"$directory/maven-metadata-central.xml";; *) echo "$TMPDIR";; esac""");

        assertThat(run(UBUNTU, "newest_spring_boot")).isEqualTo("4.2.0-M2\n");
        assertThat(run(UBUNTU, "export released='4.2.0-RC1 4.2.0'; newest_spring_boot"))
                .isEqualTo("4.2.0\n");
    }

    @Test
    void listsNothingOnAMachineThatHasAll() throws Exception {
        for (String name : List.of("etcd", "consul", "chromium", "chromedriver")) {
            program(name, "exit 0");
        }

        assertThat(run(UBUNTU, "get_servers; get_browser")).isEmpty();
    }

    @Test
    void versionsOfTestApplicationsAreInThePomOfTheProject() {
        assertThat(Page.files(Page.ROOT.resolve("snowflake-spring-boot-starter/src/it"), "pom.xml"))
                .isNotEmpty()
                .allSatisfy(pom -> assertThat(Pattern.compile("<version>(.*)</version>")
                                .matcher(Page.read(pom))
                                .results()
                                .map(version -> version.group(1)))
                        .as(pom.toString())
                        .allMatch(version -> version.equals("1") || version.matches("[@$].*")));
    }
}
