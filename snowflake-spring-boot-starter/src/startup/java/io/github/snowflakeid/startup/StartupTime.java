package io.github.snowflakeid.startup;

import io.github.snowflakeid.startup.Variant.Start;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * What the starter adds to an application with JPA, two entities and a repository on H2. Variants are started in turns,
 * each turn in another order; the cost of a variant is the median of its differences to the first one in the same turn.
 *
 * <p>System properties: {@code question} is {@code start}, {@code mybatis} (the same with MyBatis in place of JPA),
 * {@code watched} (the same with a web server, the Actuator and Micrometer), {@code beans} (what the starter's beans take in both) or
 * {@code idle} (the cost of a monitored application without requests); {@code starts} the number of turns,
 * {@code seconds} how long to idle, {@code jvm} options of the JVM, {@code beside} a part of the name of the variant to
 * compare with, {@code only} a part of the names of the variants to compare with it, {@code other} the class path of
 * another build to compare with.
 */
public final class StartupTime {

    private static final String PLAIN = "io.github.snowflakeid.startup.plain.PlainShop";
    private static final String SNOWFLAKE = "io.github.snowflakeid.startup.snowflake.SnowflakeShop";
    private static final String MYBATIS = "io.github.snowflakeid.startup.mybatis.MybatisShop";

    private StartupTime() {}

    /** Starts the applications many times and prints a table. */
    public static void main(String[] arguments) throws Exception {
        String question = System.getProperty("question", "start");
        boolean idle = question.equals("idle");
        boolean beans = question.equals("beans");
        List<String> options =
                new ArrayList<>(List.of(System.getProperty("jvm", "").trim().split(" +")));
        options.removeIf(String::isEmpty);
        if (idle) {
            options.add("-D" + StartedApplication.IDLE_SECONDS + "=" + Integer.getInteger("seconds", 60));
        }
        if (beans) {
            options.add("-D" + StartedApplication.RECORDED + "=true");
        }
        List<List<Variant>> groups = switch (question) {
            case "start" -> List.of(variants(ClassPath.plain()));
            case "beans" -> List.of(variantsWithIds());
            case "watched", "idle" -> List.of(variants(ClassPath.watched()));
            case "mybatis" -> List.of(mybatisVariants());
            default ->
                throw new IllegalArgumentException(
                        "question must be start, mybatis, watched, beans or idle, but was '" + question + "'");
        };
        groups.forEach(StartupTime::select);
        List<Variant> turn = groups.stream().flatMap(List::stream).collect(Collectors.toList());
        if (!idle) {
            // The first turn warms up the machine's caches of files.
            for (Variant variant : turn) {
                variant.start(options.toArray(String[]::new));
            }
        }
        int starts = Integer.getInteger("starts", 20);
        Random order = new Random(starts);
        for (int start = 0; start < starts; start++) {
            // No variant always follows the same other one. Runs of as many turns have the same orders.
            Collections.shuffle(turn, order);
            for (Variant variant : turn) {
                variant.measure(options.toArray(String[]::new));
            }
        }
        switch (question) {
            case "idle" -> printIdle(groups.get(0));
            case "beans" -> printBeans(groups.get(0));
            default -> printStart(groups.get(0));
        }
    }

    /** Moves the variant to compare with to the front, and keeps the variants to compare with it. */
    private static void select(List<Variant> variants) {
        String only = System.getProperty("only", "");
        if (variants.stream().skip(1).noneMatch(variant -> variant.name().contains(only))) {
            throw new IllegalArgumentException("only must be a part of one of the names "
                    + variants.stream().skip(1).map(Variant::name).toList() + ", but was '" + only + "'");
        }
        String beside = System.getProperty("beside", "");
        // A stable sort: the first variant stays where none is named.
        variants.sort(Comparator.comparing(
                variant -> beside.isEmpty() || !variant.name().contains(beside)));
        Variant first = variants.get(0);
        variants.removeIf(variant -> variant != first && !variant.name().contains(only));
    }

    private static List<Variant> variants(String with) throws IOException {
        String without = ClassPath.withoutStarter(with);
        List<Variant> variants = new ArrayList<>();
        variants.add(new Variant("without the starter", settings(""), without, PLAIN));
        variants.add(new Variant("disabled", settings("snowflake.enabled=false"), with, SNOWFLAKE));
        addWithIds(variants, "", with);
        String other = System.getProperty("other", "");
        if (!other.isEmpty()) {
            addWithIds(variants, ", other build", ClassPath.inJars(other) + File.pathSeparator + without);
        }
        return variants;
    }

    private static List<Variant> mybatisVariants() throws IOException {
        String classPath = ClassPath.mybatis();
        List<Variant> variants = new ArrayList<>();
        variants.add(new Variant("disabled", mybatisSettings("snowflake.enabled=false"), classPath, MYBATIS));
        variants.add(new Variant("worker id fixed", mybatisSettings("snowflake.worker.id=7"), classPath, MYBATIS));
        variants.add(new Variant("worker id leased", mybatisSettings(""), classPath, MYBATIS));
        return variants;
    }

    /** With a table, which opens the pool and the database in every variant. */
    private static Path mybatisSettings(String own) throws IOException {
        Path directory = settings(own);
        Path schema = directory.resolve("schema.sql");
        Files.writeString(schema, """
                create table purchase_order (id bigint primary key, customer varchar(100));
                create table invoice (id bigint primary key, customer varchar(100));""");
        schema.toFile().deleteOnExit();
        return directory;
    }

    private static List<Variant> variantsWithIds() throws IOException {
        List<Variant> variants = new ArrayList<>();
        addWithIds(variants, "", ClassPath.plain());
        addWithIds(variants, ", watched", ClassPath.watched());
        return variants;
    }

    private static void addWithIds(List<Variant> variants, String which, String classPath) throws IOException {
        variants.add(new Variant("worker id fixed" + which, settings("snowflake.worker.id=7"), classPath, SNOWFLAKE));
        variants.add(new Variant("worker id leased" + which, settings(""), classPath, SNOWFLAKE));
    }

    /**
     * In a file, as people have it, which Spring Boot loads some classes for. Arguments would be one more place where
     * it looks for each property, in some variants only.
     */
    private static Path settings(String own) throws IOException {
        Path directory = Files.createTempDirectory("startup");
        Path properties = directory.resolve("application.properties");
        Files.writeString(properties, """
                spring.application.name=shop
                spring.datasource.url=jdbc:h2:mem:shop
                spring.datasource.username=sa
                spring.jpa.open-in-view=false
                spring.jpa.hibernate.ddl-auto=create-drop
                logging.level.org.hibernate.orm.deprecation=error
                server.port=0
                management.endpoints.web.exposure.include=health,info,prometheus,snowflake
                """ + own);
        directory.toFile().deleteOnExit();
        properties.toFile().deleteOnExit();
        return directory;
    }

    private static void printStart(List<Variant> variants) throws Exception {
        Variant without = variants.get(0);
        long[] classesWithout = without.classes();
        System.out.println("| | start | quartiles | more | its quartiles | CPU | quartiles | more | its quartiles "
                + "| classes | more | of them hidden |");
        System.out.println("| --- ".repeat(12) + "|");
        for (Variant variant : variants) {
            long[] classes = variant.classes();
            System.out.println("| " + variant.name() + columns(variant, without, Start::wall)
                    + columns(variant, without, Start::cpu)
                    + String.format(
                            Locale.ROOT,
                            " | %d | %+d | %+d |",
                            classes[0],
                            classes[0] - classesWithout[0],
                            classes[1] - classesWithout[1]));
        }
    }

    private static void printIdle(List<Variant> variants) {
        System.out.println("| | CPU | quartiles | more | its quartiles |");
        System.out.println("| --- ".repeat(5) + "|");
        for (Variant variant : variants) {
            System.out.println("| " + variant.name() + columns(variant, variants.get(0), Start::idle) + " |");
        }
    }

    private static void printBeans(List<Variant> variants) {
        System.out.println(
                "| | beans of the starter | quartiles | of them for the Actuator and Micrometer | start | of it |");
        System.out.println("| --- ".repeat(6) + "|");
        for (Variant variant : variants) {
            long[] took = variant.quartiles(Start::beans);
            long start = variant.quartiles(Start::wall)[1];
            System.out.println(String.format(
                    Locale.ROOT,
                    "| %s | %d ms | %d to %d ms | %d ms | %d ms | %.1f %% |",
                    variant.name(),
                    took[1],
                    took[0],
                    took[2],
                    variant.quartiles(Start::watched)[1],
                    start,
                    100.0 * took[1] / start));
        }
    }

    private static String columns(Variant variant, Variant without, ToLongFunction<Start> what) {
        long[] took = variant.quartiles(what);
        long[] more = variant.moreThan(without, what);
        return String.format(
                Locale.ROOT,
                " | %d ms | %d to %d ms | %+d ms, %+.1f %% | %+d to %+d ms",
                took[1],
                took[0],
                took[2],
                more[1],
                100.0 * more[1] / Math.max(1, without.quartiles(what)[1]),
                more[0],
                more[2]);
    }
}
