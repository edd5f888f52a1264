package io.github.snowflakeid.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.api.Test;
import org.springframework.context.support.GenericApplicationContext;

class LeaseEventsTests {

    /** That of whoever has made the thread may know no class of the application, nor does that of the system always. */
    @Test
    void listenersAreCalledWithTheClassLoaderOfTheApplication() throws Exception {
        try (URLClassLoader ofApplication =
                        new URLClassLoader(new URL[0], getClass().getClassLoader());
                GenericApplicationContext context = new GenericApplicationContext()) {
            context.setClassLoader(ofApplication);

            Thread thread = new LeaseEvents(context).newThread(() -> {});

            assertThat(thread.getContextClassLoader()).isSameAs(ofApplication);
            assertThat(thread.isDaemon()).isTrue();
        }
    }
}
