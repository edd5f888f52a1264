package io.github.snowflakeid.it.war;

import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.ContextConfig;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.webresources.DirResourceSet;
import org.apache.catalina.webresources.FileResourceSet;
import org.apache.catalina.webresources.StandardRoot;
import org.apache.tomcat.util.scan.StandardJarScanFilter;

/**
 * A Tomcat that deploys two copies of a WAR again and again. It runs from its source, with nothing but Tomcat on the class
 * path, so each copy loads the library itself.
 */
final class ServletContainer {

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
    private final Tomcat tomcat = new Tomcat();
    private final Path directory = Files.createTempDirectory("war");
    private final List<File> contents;

    private ServletContainer(String contents) throws Exception {
        this.contents =
                Stream.of(contents.split(File.pathSeparator)).map(File::new).toList();
        tomcat.setBaseDir(directory.toString());
        tomcat.getHost();
        tomcat.setPort(0);
        tomcat.getConnector();
        tomcat.start();
    }

    public static void main(String[] args) {
        try {
            run(args);
            System.exit(0);
        } catch (Throwable failure) {
            failure.printStackTrace();
            System.exit(1); // threads of Tomcat would keep the JVM running
        }
    }

    private static void run(String[] args) throws Exception {
        ServletContainer container = new ServletContainer(args[0]);
        for (int deployments = Integer.parseInt(args[1]); deployments > 0; deployments--) {
            System.out.println("different IDs: " + container.deployBoth());
        }
        System.out.println("class loaders: " + container.remainingLoaders());
        System.out.println("threads: " + container.threads());
    }

    /** Deploys the WAR twice, uses both, undeploys them, and returns how many of 400,000 IDs are different. */
    private int deployBoth() {
        StandardContext one = deploy("one");
        StandardContext other = deploy("other");
        for (StandardContext war : List.of(one, other)) {
            String id = get(war, "/new").join();
            get(war, "/parcels/" + id).join();
            get(war, "/text/42").join();
        }
        CompletableFuture<String> ofOne = get(one, "/ids");
        Set<String> ids = new HashSet<>(get(other, "/ids").join().lines().toList());
        ids.addAll(ofOne.join().lines().toList());
        tomcat.getHost().removeChild(one);
        tomcat.getHost().removeChild(other);
        return ids.size();
    }

    private StandardContext deploy(String name) {
        StandardContext war = new StandardContext();
        war.setName("/" + name);
        war.setPath("/" + name);
        war.setDocBase(directory.toString());
        war.setParentClassLoader(ClassLoader.getSystemClassLoader());
        ContextConfig config = new ContextConfig();
        config.setDefaultWebXml(tomcat.noDefaultWebXmlPath());
        war.addLifecycleListener(config);
        StandardRoot resources = new StandardRoot(war);
        for (File file : contents) {
            resources.addPreResources(
                    file.isDirectory()
                            ? new DirResourceSet(resources, "/WEB-INF/classes", file.getPath(), "/")
                            : new FileResourceSet(resources, "/WEB-INF/lib/" + file.getName(), file.getPath(), "/"));
        }
        war.setResources(resources);
        StandardJarScanFilter filter = new StandardJarScanFilter();
        filter.setPluggabilitySkip("*.jar"); // reading all classes takes longer than the application
        war.getJarScanner().setJarScanFilter(filter);
        tomcat.getHost().addChild(war);
        loaders.add(new WeakReference<>(war.getLoader().getClassLoader()));
        return war;
    }

    private CompletableFuture<String> get(StandardContext war, String path) {
        URI url = URI.create(
                "http://localhost:%s%s%s".formatted(tomcat.getConnector().getLocalPort(), war.getPath(), path));
        return client.sendAsync(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString())
                .thenApply(ServletContainer::body);
    }

    private static String body(HttpResponse<String> answer) {
        if (answer.statusCode() != 200) {
            throw new IllegalStateException(answer + " " + answer.body());
        }
        return answer.body();
    }

    /** Returns how many class loaders remain after garbage collections without soft references. */
    private long remainingLoaders() throws InterruptedException {
        clearSoftReferences();
        for (int tries = 0; tries < 10; tries++) {
            System.gc();
            Thread.sleep(200);
        }
        return loaders.stream().filter(loader -> loader.get() != null).count();
    }

    /** Fills the heap, which clears all soft references. */
    private static void clearSoftReferences() {
        List<byte[]> heap = new ArrayList<>();
        try {
            while (true) {
                heap.add(new byte[1 << 20]);
            }
        } catch (OutOfMemoryError full) {
            heap.clear();
        }
    }

    /** Returns the threads that remain, after those that are ending have had time to end. */
    private List<String> threads() throws InterruptedException {
        List<String> threads = threadsNow();
        for (int tries = 0; tries < 100 && !threads.isEmpty(); tries++) {
            Thread.sleep(200);
            threads = threadsNow();
        }
        return threads;
    }

    private static List<String> threadsNow() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().contains("snowflake")
                        || thread.getContextClassLoader() != null
                                && thread.getContextClassLoader()
                                        .getClass()
                                        .getName()
                                        .contains("Webapp"))
                .map(Thread::getName)
                .toList();
    }
}
