package io.github.snowflakeid.startup;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * What the starter adds to the start of an application with JPA, two entities and a repository on H2, from the start of the
 * process to the end of {@code SpringApplication.run}, and to the classes that it loads. Variants are started in turns, each
 * turn in another order; what a variant costs is the median of its differences to the first one in the same turn.
 * Usage: {@code StartupTime [starts] [class path of another build, to compare with]}.
 */
public final class StartupTime {

    private static final String PLAIN = "io.github.snowflakeid.startup.plain.PlainShop";
    private static final String SNOWFLAKE = "io.github.snowflakeid.startup.snowflake.SnowflakeShop";

    /** What tests and adapters of the starter need, but an application with JPA on H2 has not. */
    private static final List<String> OF_TESTS = List.of(
            "test",
            "junit",
            "mockito",
            "assertj",
            "awaitility",
            "hamcrest",
            "json",
            "archunit",
            "derby",
            "hsqldb",
            "postgres",
            "maria",
            "vorburger",
            "mybatis",
            "jackson",
            "swagger",
            "springdoc",
            "shardingsphere",
            "validation",
            "data-jdbc",
            "data-relational",
            "r2dbc",
            "reactor",
            "reactive-streams",
            "curator",
            "zookeeper",
            "netty",
            "guava",
            "snappy",
            "metrics-core",
            "audience-annotations",
            "actuator",
            "boot-health",
            "micrometer-core",
            "HdrHistogram",
            "LatencyUtils");

    private StartupTime() {}

    /** A way to start. */
    private static final class Variant {

        private final String name;
        private final List<String> command;
        private final List<Long> millis = new ArrayList<>();

        Variant(String name, String classPath, String... application) {
            this.name = name;
            command = new ArrayList<>();
            command.add(System.getProperty("java.home") + "/bin/java");
            command.add("-cp");
            command.add(classPath);
            command.addAll(List.of(application));
        }

        long start(String... options) throws IOException, InterruptedException {
            List<String> withOptions = new ArrayList<>(command);
            withOptions.addAll(1, List.of(options));
            long before = System.currentTimeMillis();
            Process process =
                    new ProcessBuilder(withOptions).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return output.lines()
                            .filter(line -> line.startsWith(StartedApplication.READY))
                            .mapToLong(line -> Long.parseLong(line.substring(StartedApplication.READY.length())))
                            .findFirst()
                            .orElseThrow(() -> new IllegalStateException(output))
                    - before;
        }

        /** The classes that are loaded in all, and those of them that the JDK makes for lambdas and method handles. */
        long[] classes() throws IOException, InterruptedException {
            Path log = Files.createTempFile("classes", ".log");
            try {
                start("-Xlog:class+load:file=" + log + "::filecount=0");
                List<String> classes;
                try (Stream<String> lines = Files.lines(log)) {
                    classes = lines.filter(line -> line.contains(" source: ")).collect(Collectors.toList());
                }
                long hidden = classes.stream()
                        .filter(line ->
                                line.contains("/0x") || line.contains("LambdaForm") || line.contains("$$Lambda"))
                        .count();
                return new long[] {classes.size(), hidden};
            } finally {
                Files.delete(log);
            }
        }

        /** The first quarter, the median and the third quarter of what it takes longer than another one. */
        long[] moreThan(Variant other) {
            return quartiles(
                    IntStream.range(0, millis.size()).mapToLong(turn -> millis.get(turn) - other.millis.get(turn)));
        }

        long[] quartiles() {
            return quartiles(millis.stream().mapToLong(Long::longValue));
        }

        private static long[] quartiles(LongStream values) {
            long[] sorted = values.sorted().toArray();
            int last = sorted.length - 1;
            return new long[] {sorted[last / 4], sorted[last / 2], sorted[last * 3 / 4]};
        }
    }

    /** Starts the application many times and prints a table. */
    public static void main(String[] arguments) throws Exception {
        // In a file, as people have it, which Spring Boot loads some classes for.
        Path directory = Files.createTempDirectory("startup");
        Path properties = directory.resolve("application.properties");
        Files.writeString(properties, """
                spring.application.name=shop
                spring.datasource.url=jdbc:h2:mem:shop
                spring.datasource.username=sa
                spring.jpa.open-in-view=false
                spring.jpa.hibernate.ddl-auto=create-drop
                logging.level.org.hibernate.orm.deprecation=error
                """);
        directory.toFile().deleteOnExit();
        properties.toFile().deleteOnExit();
        int starts = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20;
        String with = directory
                + File.pathSeparator
                + Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .filter(entry -> isOfTheApplication(Path.of(entry)))
                        .collect(Collectors.joining(File.pathSeparator));
        List<Variant> variants = new ArrayList<>();
        variants.add(new Variant("without the starter", without(with), PLAIN));
        variants.add(new Variant("disabled", with, SNOWFLAKE, "--snowflake.enabled=false"));
        addWithIds(variants, "", with);
        if (arguments.length > 1) {
            addWithIds(variants, ", other build", arguments[1] + File.pathSeparator + without(with));
        }
        List<Variant> turn = new ArrayList<>(variants);
        for (int start = -1; start < starts; start++) {
            Collections.rotate(turn, 1);
            for (Variant variant : turn) {
                long millis = variant.start();
                if (start >= 0) {
                    variant.millis.add(millis);
                }
            }
        }
        print(variants);
    }

    private static void addWithIds(List<Variant> variants, String which, String classPath) {
        variants.add(new Variant("worker id fixed" + which, classPath, SNOWFLAKE, "--snowflake.worker.id=7"));
        variants.add(new Variant("worker id leased" + which, classPath, SNOWFLAKE));
    }

    /** Where there is no other word of ids than in the entities that are not loaded then. */
    private static String without(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator))
                .filter(entry -> !entry.contains("snowflake-core"))
                .filter(entry -> !entry.endsWith(File.separator + "classes"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean isOfTheApplication(Path entry) {
        String name = entry.getFileName().toString();
        return name.equals("classes")
                || (name.equals("test-classes") && !entry.toString().contains("snowflake-core"))
                || (name.startsWith("snowflake-core") && !name.contains("tests"))
                || (name.endsWith(".jar") && OF_TESTS.stream().noneMatch(name::contains));
    }

    private static void print(List<Variant> variants) throws Exception {
        long[] base = variants.get(0).classes();
        double usual = variants.get(0).quartiles()[1];
        for (Variant variant : variants) {
            long[] classes = variant.classes();
            long[] start = variant.quartiles();
            long[] more = variant.moreThan(variants.get(0));
            System.out.println(String.format(
                    Locale.ROOT,
                    "| %s | %d ms | %d to %d ms | %+d ms, %+.1f %% | %+d to %+d ms | %d | %+d | %+d |",
                    variant.name,
                    start[1],
                    start[0],
                    start[2],
                    more[1],
                    100 * more[1] / usual,
                    more[0],
                    more[2],
                    classes[0],
                    classes[0] - base[0],
                    classes[1] - base[1]));
        }
    }
}
