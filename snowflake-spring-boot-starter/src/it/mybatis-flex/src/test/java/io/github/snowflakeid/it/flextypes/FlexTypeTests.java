package io.github.snowflakeid.it.flextypes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.it.flextypes.FlexTypeMapper.Big;
import io.github.snowflakeid.it.flextypes.FlexTypeMapper.Bigs;
import io.github.snowflakeid.it.flextypes.FlexTypeMapper.Number;
import io.github.snowflakeid.it.flextypes.FlexTypeMapper.Numbers;
import io.github.snowflakeid.it.flextypes.FlexTypeMapper.Text;
import io.github.snowflakeid.it.flextypes.FlexTypeMapper.Texts;
import io.github.snowflakeid.it.mybatisflex.FlexFactory;
import io.github.snowflakeid.test.autoconfigure.AutoConfigureTestIds;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mybatis.spring.annotation.MapperScan;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest(
        classes = {FlexTypeTests.Shop.class, FlexFactory.class},
        properties = {
            "spring.datasource.url=jdbc:h2:mem:types;DB_CLOSE_DELAY=-1",
            "spring.sql.init.schema-locations=classpath:types.sql"
        })
@AutoConfigureTestIds(resetBeforeEachTest = false)
class FlexTypeTests {

    @EnableAutoConfiguration
    @MapperScan(markerInterface = com.mybatisflex.core.BaseMapper.class)
    static class Shop {}

    @Autowired
    private Numbers numbers;

    @Autowired
    private Bigs bigs;

    @Autowired
    private Texts texts;

    @Test
    void integersAreIds() {
        Number number = new Number();
        numbers.insert(number);

        assertThat(numbers.selectOneById(number.id)).isNotNull();
    }

    @Test
    void bigIntegersAreIds() {
        Big first = new Big();
        bigs.insert(first);
        Big second = new Big();
        second.previous = first.id;
        bigs.insertBatch(List.of(second));

        assertThat(bigs.selectOneById(second.id).previous).isEqualTo(first.id);
    }

    @Test
    void textsAreIds() {
        Text text = new Text();
        texts.insert(text);

        assertThat(text.id).containsOnlyDigits();
        assertThat(texts.selectOneById(text.id).number).hasSize(13);
    }
}
