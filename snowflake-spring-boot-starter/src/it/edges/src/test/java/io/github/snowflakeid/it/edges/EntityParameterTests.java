package io.github.snowflakeid.it.edges;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.core.convert.ConversionService;

/** A parameter that is an entity of Spring Data. */
class EntityParameterTests {

    private final Letter letter = EdgesServer.CONTEXT.getBean(Letters.class).save(new Letter());
    private final String text = EdgesServer.publicId("letter", letter.getId());
    private final String missing = EdgesServer.publicId("letter", 1);

    @Test
    void theIdThatJsonShowsLeadsToTheEntity() throws Exception {
        HttpResponse<String> response = EdgesServer.get("/entities/letters/" + text);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("{\"id\":\"%s\"}".formatted(text));
    }

    @Test
    void anEntityWithATypedIdIsFound() throws Exception {
        Barrels barrels = EdgesServer.CONTEXT.getBean(Barrels.class);
        Barrel oslo = new Barrel();
        oslo.setPlace("Oslo");
        BarrelId id = barrels.save(oslo).getId();

        assertThat(EdgesServer.get("/entities/barrels/" + EdgesServer.publicId("barrel", id.value()))
                        .body())
                .isEqualTo("barrel of Oslo");
        assertThat(EdgesServer.get("/entities/barrels/" + id.value()).statusCode())
                .isEqualTo(404);
    }

    @Test
    void aNumberAnInvalidTextAndAMissingRowAreAnsweredAlike() throws Exception {
        for (String each : List.of(letter.getId().toString(), "letter", missing)) {
            assertThat(EdgesServer.get("/entities/letters/" + each).statusCode())
                    .as(each)
                    .isEqualTo(404);
            assertThat(EdgesServer.get("/entities/letters?among=" + each).statusCode())
                    .as(each)
                    .isEqualTo(404);
            assertThat(EdgesServer.get("/entities/letters?maybe=" + each).statusCode())
                    .as(each)
                    .isEqualTo(404);
            assertThat(EdgesServer.get("/entities/letters?letter=" + each).statusCode())
                    .as(each)
                    .isEqualTo(404);
        }
    }

    @Test
    void listsOptionalsAndFormsAreBound() throws Exception {
        assertThat(EdgesServer.get("/entities/letters?among=%1$s,%1$s&maybe=%1$s&letter=%1$s".formatted(text))
                        .body())
                .isEqualTo("2 true true");
        assertThat(EdgesServer.get("/entities/letters").body()).isEqualTo("0 false false");
    }

    @Test
    void anEntityIsWrittenAsItsId() {
        ConversionService conversion = EdgesServer.CONTEXT.getBean("mvcConversionService", ConversionService.class);

        assertThat(conversion.convert(letter, String.class)).isEqualTo(text);
    }
}
