import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.DoubleStream;

/**
 * Starts applications in turns, each turn in another order, until the first row is saved. Prints the means of the
 * differences to the first application in the same turn, with their standard errors, as CSV.
 *
 * <p>Arguments: the number of turns; the database, {@code h2} or {@code postgresql}; the options of the JVM, separated by
 * blanks, and {@code aot} to start with an AOT cache (JDK 25); and for each application its name, its main class, the file with its class path and its properties, separated
 * by {@code |}.
 */
final class Turns {

    private record Start(double wall, double cpu, double main, double classes) {}

    private record Application(String name, String main, String classPath, Path settings, List<Start> starts) {}

    public static void main(String[] arguments) throws Exception {
        int turns = Integer.parseInt(arguments[0]);
        String database = arguments[1];
        String server = database.equals("postgresql") ? Servers.postgresql() : null;
        List<String> options = Arrays.stream(arguments[2].split(" ")).filter(each -> !each.isBlank()).toList();
        boolean isAot = options.contains("aot");
        List<Application> applications = new ArrayList<>();
        for (String each : List.of(arguments).subList(3, arguments.length)) {
            String[] parts = each.split("\\|", 4);
            String own = parts[3].contains("@redis@") ? parts[3].replace("@redis@", Servers.redis()) : parts[3];
            String classPath = Files.readString(Path.of(parts[2])).strip();
            applications.add(new Application(
                    parts[0], parts[1], classPath, settings(server, own.replace(";", "\n")), new ArrayList<>()));
        }
        // The first turn warms up the machine's caches of files, and writes the AOT caches.
        for (Application each : applications) {
            start(each, options, isAot ? "-XX:AOTCacheOutput=" : "");
        }
        Random random = new Random(turns);
        List<Application> order = new ArrayList<>(applications);
        for (int turn = 0; turn < turns; turn++) {
            Collections.shuffle(order, random);
            for (Application each : order) {
                each.starts().add(start(each, options, isAot ? "-XX:AOTCache=" : ""));
            }
        }
        print(applications);
        System.exit(0);
    }

    /** In a jar, because an AOT cache permits no directories on the class path. */
    private static Path settings(String server, String own) throws Exception {
        Path directory = Files.createTempDirectory("startup");
        Files.writeString(directory.resolve("application.properties"), """
                spring.application.name=shop
                spring.datasource.url=%s
                spring.datasource.username=%s
                spring.jpa.open-in-view=false
                spring.jpa.hibernate.ddl-auto=create-drop
                spring.sql.init.mode=always
                %s
                """.formatted(
                        server == null ? "jdbc:h2:mem:shop" : server,
                        server == null ? "sa" : "postgres",
                        own));
        Files.writeString(
                directory.resolve("schema.sql"),
                "create table if not exists invoice (id bigint primary key, customer varchar(100));");
        Path jar = directory.resolve("settings.jar");
        run(List.of(
                System.getProperty("java.home") + "/bin/jar",
                "cf",
                jar.toString(),
                "-C",
                directory.toString(),
                "application.properties",
                "-C",
                directory.toString(),
                "schema.sql"));
        return jar;
    }

    private static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        process.waitFor();
        return output;
    }

    private static Start start(Application application, List<String> options, String cache) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
        options.stream().filter(each -> !each.equals("aot")).forEach(command::add);
        if (!cache.isEmpty()) {
            command.add(cache + application.settings().resolveSibling("application.aot"));
        }
        command.addAll(List.of(
                "-cp", application.settings() + File.pathSeparator + application.classPath(), application.main()));
        long before = System.currentTimeMillis();
        String output = run(command);
        double[] figures = output.lines()
                .filter(line -> line.startsWith("ready at "))
                .map(line -> Arrays.stream(line.split(" "))
                        .skip(2)
                        .mapToDouble(Double::parseDouble)
                        .toArray())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(command + "\n" + output));
        return new Start(figures[0] - before, figures[1], figures[2], figures[3]);
    }

    private static void print(List<Application> applications) {
        System.out.println("variant,first_row_ms,more_ms,more_error_ms,more_main_cpu_ms,more_main_cpu_error_ms,"
                + "more_other_cpu_ms,more_other_cpu_error_ms,more_classes");
        List<Start> without = applications.get(0).starts();
        for (Application each : applications) {
            System.out.printf(
                    Locale.ROOT,
                    "\"%s\",%.0f,%s,%s,%s,%.0f%n",
                    each.name(),
                    each.starts().stream().mapToDouble(Start::wall).average().orElseThrow(),
                    more(each.starts(), without, Start::wall),
                    more(each.starts(), without, Start::main),
                    more(each.starts(), without, start -> start.cpu() - start.main()),
                    each.starts().stream().mapToDouble(Start::classes).average().orElseThrow()
                            - without.stream().mapToDouble(Start::classes).average().orElseThrow());
        }
    }

    private static String more(
            List<Start> starts, List<Start> without, java.util.function.ToDoubleFunction<Start> figure) {
        double[] more = new double[starts.size()];
        Arrays.setAll(more, i -> figure.applyAsDouble(starts.get(i)) - figure.applyAsDouble(without.get(i)));
        double mean = DoubleStream.of(more).average().orElseThrow();
        double squares =
                DoubleStream.of(more).map(each -> (each - mean) * (each - mean)).sum();
        return String.format(
                Locale.ROOT, "%.0f,%.0f", mean, Math.sqrt(squares / Math.max(1, more.length - 1) / more.length));
    }

    /** Loaded only if a variant needs a server. */
    private static final class Servers {

        /** With the table of worker IDs, as migrations would create it. */
        static String postgresql() throws Exception {
            var server = io.zonky.test.db.postgres.embedded.EmbeddedPostgres.start();
            Path table = Path.of("snowflake-spring-boot-starter/src/main/resources/io/github/snowflakeid/jdbc/schema-postgresql.sql");
            try (var connection = server.getPostgresDatabase().getConnection();
                    var statement = connection.createStatement()) {
                statement.execute(Files.readString(table));
            }
            return server.getJdbcUrl("postgres", "postgres");
        }

        static String redis() throws IOException {
            redis.embedded.RedisServer server = new redis.embedded.RedisServer();
            server.start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try {
                    server.stop();
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            }));
            return String.valueOf(server.ports().get(0));
        }
    }
}
