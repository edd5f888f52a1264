package io.github.snowflakeid.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Takes the pictures of the README. Not part of the tests: {@code mvn -pl snowflake-sample -am test -Dtest=PageScreenshot
 * -Dsurefire.failIfNoSpecifiedTests=false} takes them again.
 */
class PageScreenshot {

    private static final Path IMAGES = Path.of("").toAbsolutePath().resolveSibling("docs/images");

    /** Colors that are closer than this look the same. */
    private static final int TOO_NEAR = 100;

    private static final int MARGIN = 16;

    @TempDir
    Path directory;

    @Test
    void takePictures() throws Exception {
        try (ShopProcess one = ShopProcess.start(directory, "--spring.profiles.active=shared");
                ShopProcess two = ShopProcess.start(directory, "--spring.profiles.active=shared");
                ShopProcess three = ShopProcess.start(directory, "--spring.profiles.active=shared");
                Browser browser = Browser.open()) {
            List<String> customers = List.of("Ada", "Grace", "Edsger", "Barbara", "Radia");
            List<String> products = List.of("tea", "cup", "kettle", "honey", "teapot");
            for (int i = 0; i < customers.size(); i++) {
                place(
                        List.of(one, two, three).get(i % 3),
                        customers.get(i),
                        products.get(i),
                        i % 4 + 1,
                        4.5 * (i % 5 + 1));
            }
            browser.show(one.address() + "/?id=249828685941993514");
            // The curve needs data: IDs over a minute, with more of them in some seconds.
            for (int second = 0; second < 25; second++) {
                generate(browser, one, second);
            }
            take(browser, "light", 1280, "", ".healths", "sample-page.png");
            generate(browser, one, 25);
            take(browser, "dark", 1280, "", ".healths", "sample-page-dark.png");
            generate(browser, one, 26);
            take(browser, "light", 360, ".live", ".live", "sample-page-phone.png");
        }
    }

    /** Generates IDs, and waits until the page shows their rate. */
    private static void generate(Browser browser, ShopProcess shop, int second) throws Exception {
        int count = (int) (4_000 + 3_000 * Math.sin(second / 3.0) + 700 * (second % 4));
        String rate = browser.element("#rate").getText();
        get(shop.address() + "/ids?count=" + count);
        browser.awaitMatch("#rate", "(?!" + rate + "$).*");
    }

    /** Takes the page from the top of one section, or its own top, to the bottom of another one. */
    private static void take(Browser browser, String scheme, int width, String first, String last, String name)
            throws IOException {
        browser.prefers(scheme, "reduce");
        browser.size(width, 4000);
        int top = first.isEmpty() ? 0 : edge(browser, first, "top") - MARGIN;
        int bottom = edge(browser, last, "bottom") + MARGIN;
        BufferedImage page = ImageIO.read(new ByteArrayInputStream(browser.picture()));
        Path picture = Files.createDirectories(IMAGES).resolve(name);
        ImageIO.write(inFewColours(page.getSubimage(0, top, width, bottom - top)), "png", picture.toFile());
        assertThat(Files.size(picture)).isLessThan(200_000);
    }

    private static int edge(Browser browser, String section, String edge) {
        return ((Number) browser.run("return Math.round(document.querySelector('%s').getBoundingClientRect().%s)"
                        .formatted(section, edge)))
                .intValue();
    }

    /** The 256 most frequent distinct colors replace all others: one byte per pixel. Java's own conversion dithers plain areas. */
    private static BufferedImage inFewColours(BufferedImage image) {
        int width = image.getWidth();
        int[] pixels = image.getRGB(0, 0, width, image.getHeight(), null, 0, width);
        Map<Integer, Long> frequencies = Arrays.stream(pixels)
                .boxed()
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        List<Integer> colours = new ArrayList<>();
        frequencies.entrySet().stream()
                .sorted(Map.Entry.<Integer, Long>comparingByValue().reversed())
                .map(Map.Entry::getKey)
                .filter(colour -> colours.stream().allMatch(chosen -> distance(colour, chosen) > TOO_NEAR))
                .limit(256)
                .forEach(colours::add);
        int[] palette = colours.stream().mapToInt(Integer::intValue).toArray();
        BufferedImage small = new BufferedImage(
                width,
                image.getHeight(),
                BufferedImage.TYPE_BYTE_INDEXED,
                new IndexColorModel(8, palette.length, palette, 0, false, -1, DataBuffer.TYPE_BYTE));
        Map<Integer, Integer> nearest = new HashMap<>();
        for (int i = 0; i < pixels.length; i++) {
            int index = nearest.computeIfAbsent(pixels[i], colour -> nearest(colour, palette));
            small.getRaster().setSample(i % width, i / width, 0, index);
        }
        return small;
    }

    private static int nearest(int colour, int[] palette) {
        return IntStream.range(0, palette.length)
                .boxed()
                .min(Comparator.comparing(i -> distance(colour, palette[i])))
                .orElseThrow();
    }

    private static int distance(int one, int other) {
        int red = (one >> 16 & 255) - (other >> 16 & 255);
        int green = (one >> 8 & 255) - (other >> 8 & 255);
        int blue = (one & 255) - (other & 255);
        return red * red + green * green + blue * blue;
    }

    private static void place(ShopProcess shop, String customer, String product, int quantity, double price)
            throws Exception {
        String order = "{\"customer\": \"%s\", \"lines\": [{\"product\": \"%s\", \"quantity\": %s, \"price\": %s}]}"
                .formatted(customer, product, quantity, price);
        send(HttpRequest.newBuilder(URI.create(shop.address() + "/orders"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(order)));
    }

    private static void get(String address) throws Exception {
        send(HttpRequest.newBuilder(URI.create(address)));
    }

    private static void send(HttpRequest.Builder request) throws Exception {
        HttpResponse<String> answer =
                HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 201);
    }
}
