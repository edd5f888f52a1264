package io.github.snowflakeid.startup;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * The class paths of applications, each a part of the class path of these tests. Directories of classes become jars, as
 * people have them: the JVM asks the file system for each class in each directory, but knows what is in a jar. Nothing
 * in them is compressed, as in ours.
 */
final class ClassPath {

    /** What an application has that is watched: a web server, the Actuator, Micrometer with Prometheus. */
    private static final List<String> OF_WATCHED = List.of(
            "jackson-",
            "micrometer-core",
            "micrometer-jakarta9",
            "micrometer-registry-prometheus",
            "HdrHistogram",
            "LatencyUtils",
            "prometheus-metrics",
            "spring-boot-actuator",
            "spring-boot-starter-actuator",
            "spring-boot-starter-json",
            "spring-boot-starter-tomcat",
            "spring-boot-starter-web",
            "spring-web-",
            "spring-webmvc",
            "tomcat-");

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
            "dataformat",
            "swagger",
            "springdoc",
            "shardingsphere",
            "validation",
            "data-jdbc",
            "data-relational",
            "data-redis",
            "data-keyvalue",
            "redis",
            "lettuce",
            "jedis",
            "gson",
            "r2dbc",
            "reactor",
            "reactive-streams",
            "webflux",
            "curator",
            "zookeeper",
            "netty",
            "guava",
            "snappy",
            "metrics-core",
            "audience-annotations",
            "feign",
            "graphql",
            "messaging",
            "data-rest",
            "mongo",
            "boot-health",
            "cosid",
            "hypersistence");

    /** What an application with MyBatis does not have. */
    private static final List<String> OF_JPA =
            List.of("hibernate", "jpa", "persistence", "data-commons", "spring-orm", "byte-buddy", "jaxb", "antlr");

    private ClassPath() {}

    /** Of an application with JPA on H2 and with the starter. */
    static String plain() {
        return of(entry -> !isOfWatched(entry) && isOfAny(entry));
    }

    /** Of an application with MyBatis on H2 and with the starter. */
    static String mybatis() {
        return of(entry -> {
            String name = entry.getFileName().toString();
            return name.contains("mybatis")
                    ? !name.contains("plus") && !name.contains("flex") && !name.contains("test")
                    : !isOfWatched(entry) && isOfAny(entry) && OF_JPA.stream().noneMatch(name::contains);
        });
    }

    /** The same with a web server, the Actuator and Micrometer. */
    static String watched() {
        return of(entry -> isOfWatched(entry) || isOfAny(entry));
    }

    /** Where there is no other word of ids than in the entities that are not loaded then. */
    static String withoutStarter(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator))
                .filter(entry -> !Path.of(entry).getFileName().toString().startsWith("snowflake-"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String of(Predicate<Path> isInIt) {
        return inJars(Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> isInIt.test(Path.of(entry)))
                .collect(Collectors.joining(File.pathSeparator)));
    }

    /** A class path with a jar in the place of each directory. */
    static String inJars(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator))
                .map(Path::of)
                .map(entry -> Files.isDirectory(entry) ? jarOf(entry) : entry)
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Path jarOf(Path directory) {
        boolean isApplication = directory.endsWith("test-classes");
        // target/classes of a module
        String module = directory.getName(directory.getNameCount() - 3).toString();
        Path applications = Path.of(ClassPath.class.getPackageName().replace('.', '/'));
        try (Stream<Path> all = Files.walk(directory)) {
            Path jar = Files.createTempDirectory("startup").resolve((isApplication ? "application" : module) + ".jar");
            try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
                out.setMethod(JarOutputStream.STORED);
                for (Path each : all.skip(1).toList()) {
                    Path name = directory.relativize(each);
                    if (!isApplication || name.startsWith(applications)) {
                        boolean isFile = Files.isRegularFile(each);
                        // Whoever looks for components looks for directories.
                        JarEntry entry =
                                new JarEntry(name.toString().replace(File.separatorChar, '/') + (isFile ? "" : "/"));
                        byte[] content = isFile ? Files.readAllBytes(each) : new byte[0];
                        CRC32 sum = new CRC32();
                        sum.update(content);
                        entry.setSize(content.length);
                        entry.setCrc(sum.getValue());
                        out.putNextEntry(entry);
                        out.write(content);
                    }
                }
            }
            jar.getParent().toFile().deleteOnExit();
            jar.toFile().deleteOnExit();
            return jar;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOfWatched(Path entry) {
        String name = entry.getFileName().toString();
        // Spring Boot 3.5 knows no Jackson 3.
        return !entry.toString().contains("tools" + File.separator + "jackson")
                && !name.contains("dataformat")
                && OF_WATCHED.stream().anyMatch(name::startsWith);
    }

    private static boolean isOfAny(Path entry) {
        String name = entry.getFileName().toString();
        return name.equals("classes")
                || (name.equals("test-classes") && !entry.toString().contains("snowflake-core"))
                || (name.startsWith("snowflake-core") && !name.contains("tests"))
                || (name.endsWith(".jar")
                        && !name.startsWith("jackson-")
                        && OF_TESTS.stream().noneMatch(name::contains));
    }
}
