package io.github.snowflakeid.it.publicids;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.text.PublicIds;
import java.io.File;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.apache.catalina.webresources.TomcatURLStreamHandlerFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Spring 7 marks its converters and codecs for Jackson 2 for removal. Here, they are gone. */
class WithoutSpringForJackson2Tests {

    /** Is loaded in the class loader that lacks the classes. */
    public static final class Request implements UnaryOperator<String> {

        @Override
        public String apply(String type) {
            // Another class loader of this JVM has set Tomcat's handler of URLs.
            TomcatURLStreamHandlerFactory.disable();
            try (WebServer server = WebServer.start(PublicIdShop.class, "spring.main.web-application-type=" + type)) {
                String id = server.context.getBean(PublicIds.class).encode("order", PublicIdContract.ID);
                return server.get("/receipts/" + id).body().replace(id, "the public ID");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    @SuppressWarnings("unchecked")
    void startsAndWritesPublicIds(String type) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader usual = thread.getContextClassLoader();
        try (URLClassLoader classes = withoutSpringForJackson2()) {
            thread.setContextClassLoader(classes);
            UnaryOperator<String> request = (UnaryOperator<String>)
                    classes.loadClass(Request.class.getName()).getConstructor().newInstance();

            assertThat(request.apply(type)).startsWith("{\"order\":\"the public ID\"");
        } finally {
            thread.setContextClassLoader(usual);
        }
    }

    private static URLClassLoader withoutSpringForJackson2() {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        URL[] urls = Arrays.stream(classPath.split(File.pathSeparator))
                .map(WithoutSpringForJackson2Tests::url)
                .toArray(URL[]::new);
        return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader()) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                if (name.matches("org\\.springframework\\.http\\..*Jackson2.*")) {
                    throw new ClassNotFoundException(name);
                }
                return super.findClass(name);
            }
        };
    }

    private static URL url(String path) {
        try {
            return Path.of(path).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }
}
