package io.github.snowflakeid.it.flextypes;

import com.mybatisflex.annotation.Id;
import com.mybatisflex.annotation.KeyType;
import com.mybatisflex.annotation.Table;
import com.mybatisflex.core.BaseMapper;
import io.github.snowflakeid.SnowflakeId;
import java.math.BigInteger;

/** The mappers of entities with other types of IDs. */
public interface FlexTypeMapper {

    @Table("number")
    class Number {

        @Id
        @SnowflakeId
        Integer id;

        Integer previous;

        public Integer getId() {
            return id;
        }

        public void setId(Integer id) {
            this.id = id;
        }

        public Integer getPrevious() {
            return previous;
        }

        public void setPrevious(Integer previous) {
            this.previous = previous;
        }
    }

    interface Numbers extends BaseMapper<Number> {}

    @Table("number")
    class NarrowNumber {

        @Id(keyType = KeyType.Generator, value = "snowflake")
        Integer id;

        public Integer getId() {
            return id;
        }

        public void setId(Integer id) {
            this.id = id;
        }
    }

    interface NarrowNumbers extends BaseMapper<NarrowNumber> {}

    @Table("big")
    class Big {

        @Id(keyType = KeyType.Generator, value = "snowflake")
        BigInteger id;

        BigInteger previous;

        public BigInteger getId() {
            return id;
        }

        public void setId(BigInteger id) {
            this.id = id;
        }

        public BigInteger getPrevious() {
            return previous;
        }

        public void setPrevious(BigInteger previous) {
            this.previous = previous;
        }
    }

    interface Bigs extends BaseMapper<Big> {}

    @Table("text")
    class Text {

        @Id(keyType = KeyType.Generator, value = "snowflake")
        String id;

        @SnowflakeId(text = SnowflakeId.Text.CROCKFORD)
        String number;

        public String getId() {
            return id;
        }

        public void setId(String id) {
            this.id = id;
        }

        public String getNumber() {
            return number;
        }

        public void setNumber(String number) {
            this.number = number;
        }
    }

    interface Texts extends BaseMapper<Text> {}
}
