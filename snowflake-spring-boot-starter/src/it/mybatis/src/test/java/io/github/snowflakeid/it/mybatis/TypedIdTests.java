package io.github.snowflakeid.it.mybatis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeId;
import java.util.List;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Result;
import org.apache.ibatis.annotations.Select;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.transaction.annotation.Transactional;

/** IDs of types that wrap them. */
@SpringBootTest
@Transactional
class TypedIdTests {

    @Autowired
    private Orders orders;

    @Test
    void insertsATypedIdAndFindsTheRowByIt() {
        TypedOrder order = new TypedOrder();
        order.customer = "Ada";

        orders.insert(order);

        assertThat(order.id.value()).isPositive();
        assertThat(orders.find(order.id)).usingRecursiveComparison().isEqualTo(order);
        assertThat(orders.ids()).containsExactly(order.id);
    }

    @Test
    void keepsATypedIdThatIsSet() {
        TypedOrder order = new TypedOrder();
        order.id = new OrderId(42);

        orders.insert(order);

        assertThat(orders.ids()).containsExactly(new OrderId(42));
    }

    @Test
    void fillsATypedIdThatHoldsNull() {
        TypedOrder order = new TypedOrder();
        order.buyer = new BuyerId(null);

        orders.insert(order);

        assertThat(order.buyer.value())
                .isEqualTo(orders.find(order.id).buyer.value())
                .hasSize(13);
    }

    @Test
    void findsRowsByAListOfTypedIds() {
        TypedOrder one = new TypedOrder();
        TypedOrder other = new TypedOrder();
        orders.insert(one);
        orders.insert(other);

        assertThat(orders.findAll(List.of(one.id, other.id)))
                .extracting(order -> order.id)
                .containsExactlyInAnyOrder(one.id, other.id);
    }

    /** Marked as an ID type by the attribute that has it. Its text does not show the ID. */
    record OrderId(long value) {

        @Override
        public String toString() {
            return "an order";
        }
    }

    /** Marked as an ID type by itself. */
    @SnowflakeId(text = SnowflakeId.Text.CROCKFORD)
    record BuyerId(String value) {}

    static class TypedOrder {

        @SnowflakeId
        OrderId id;

        @SnowflakeId
        BuyerId buyer;

        String customer;
    }

    @Mapper
    interface Orders {

        @Insert("insert into typed_order (id, buyer, customer) values (#{id}, #{buyer}, #{customer})")
        void insert(TypedOrder order);

        @Result(property = "id", column = "id")
        @Select("select * from typed_order where id = #{id}")
        TypedOrder find(OrderId id);

        @Select("""
                <script>
                select * from typed_order where id in
                <foreach collection="ids" item="id" open="(" separator="," close=")">#{id}</foreach>
                </script>""")
        List<TypedOrder> findAll(@Param("ids") List<OrderId> ids);

        @Select("select id from typed_order")
        List<OrderId> ids();
    }
}
