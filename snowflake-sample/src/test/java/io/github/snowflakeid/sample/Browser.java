package io.github.snowflakeid.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.slf4j.LoggerFactory;

/** Chromium without a window. If it is not installed, tests that need it are skipped and log a message. */
final class Browser implements AutoCloseable {

    private static final String NONE = "The page is not tested: no chromium and chromedriver on the PATH."
            + " On Debian: apt-get install --no-install-recommends chromium chromium-driver";

    /** Violated rules of axe-core, and text whose contrast it could not determine. */
    private static final String VIOLATIONS = """
            const done = arguments[arguments.length - 1];
            const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
            axe.run(document, {runOnly: tags, resultTypes: ['violations', 'incomplete']}).then(({violations, incomplete}) =>
              done([...violations, ...incomplete.filter(rule => rule.id === 'color-contrast')].flatMap(rule =>
                rule.nodes.map(node => `${rule.id}: ${node.html} ${node.failureSummary}`))),
              e => done([String(e)]));
            """;

    /** Warns about every version of Chromium that is newer than itself, because of features that are not used here. */
    private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(40);

    private static final Optional<File> CHROMIUM = find("chromium", "chromium-browser", "google-chrome");
    private static final Optional<File> CHROMEDRIVER = find("chromedriver");

    static {
        if (CHROMIUM.isEmpty() || CHROMEDRIVER.isEmpty()) {
            LoggerFactory.getLogger(Browser.class).warn(NONE);
        }
    }

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    static Browser open() {
        Assumptions.assumeTrue(CHROMIUM.isPresent() && CHROMEDRIVER.isPresent(), NONE);
        SELENIUM.setLevel(Level.SEVERE);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(CHROMIUM.orElseThrow());
        // The sandbox rejects root, the user of builds in containers. Containers also have little shared memory.
        options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars");
        // With an explicit driver, Selenium neither looks for a driver nor downloads one.
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(CHROMEDRIVER.orElseThrow())
                .build();
        Browser browser = new Browser(new ChromeDriver(service, options));
        browser.size(1280, 900);
        // An element that scrolls smoothly is not where it was clicked.
        browser.prefers("light", "reduce");
        browser.cdp("Emulation.setTimezoneOverride", Map.of("timezoneId", "Asia/Tokyo"));
        return browser;
    }

    private static Optional<File> find(String... names) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.of(names)
                .flatMap(name -> Stream.of(path.split(Pattern.quote(File.pathSeparator)))
                        .map(directory -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .map(Path::toFile)
                .findFirst();
    }

    void show(String address) {
        driver.get(address);
    }

    /** In CSS pixels, as on a phone. */
    void size(int width, int height) {
        cdp(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    }

    void prefers(String scheme, String motion) {
        cdp(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(
                                Map.of("name", "prefers-color-scheme", "value", scheme),
                                Map.of("name", "prefers-reduced-motion", "value", motion))));
    }

    private void cdp(String command, Map<String, Object> parameters) {
        driver.executeCdpCommand(command, parameters);
    }

    WebElement element(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    /** Returns the visible texts at one moment, because the page replaces its elements. */
    List<String> texts(String selector) {
        Object texts = run(
                "return [...document.querySelectorAll(arguments[0])].map(each => each.innerText.trim().replaceAll('\\u00a0', ' '))",
                selector);
        return ((List<?>) texts).stream().map(String.class::cast).toList();
    }

    void click(String selector) {
        element(selector).click();
    }

    void type(String selector, String text) {
        element(selector).sendKeys(Keys.chord(Keys.CONTROL, "a"), Keys.DELETE, text);
    }

    /** Presses keys in the focused element. */
    void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    WebElement focused() {
        return driver.switchTo().activeElement();
    }

    void awaitText(String selector, String expected) {
        awaitMatch(selector, Pattern.quote(expected));
    }

    void awaitMatch(String selector, String pattern) {
        await().atMost(LONGEST_WAIT)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(element(selector).getText()).matches("(?s)" + pattern));
    }

    /** Remembers each text that an element has from now on, because it may be shown for a second only. */
    void rememberTexts(String selector) {
        run("""
                const element = document.querySelector(arguments[0]);
                window.remembered = [];
                new MutationObserver(() => remembered.push(element.innerText))
                  .observe(element, {childList: true, characterData: true, subtree: true});""", selector);
    }

    void awaitRememberedMatch(String pattern) {
        await().atMost(LONGEST_WAIT)
                .untilAsserted(() -> assertThat((List<?>) run("return window.remembered"))
                        .anySatisfy(text -> assertThat(String.valueOf(text)).matches(pattern)));
    }

    String title() {
        return driver.getTitle();
    }

    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    byte[] picture() {
        return driver.getScreenshotAs(OutputType.BYTES);
    }

    /** Returns barriers found by axe-core; empty if there are none. */
    @SuppressWarnings("unchecked")
    List<String> barriers() throws IOException {
        try (InputStream axe = Browser.class.getResourceAsStream("/axe.min.js")) {
            run(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
        }
        return (List<String>) driver.executeAsyncScript(VIOLATIONS);
    }

    @Override
    public void close() {
        driver.quit();
    }
}
