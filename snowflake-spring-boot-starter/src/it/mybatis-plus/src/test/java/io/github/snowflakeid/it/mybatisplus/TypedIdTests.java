package io.github.snowflakeid.it.mybatisplus;

import static org.assertj.core.api.Assertions.assertThat;

import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import io.github.snowflakeid.SnowflakeId;
import java.util.List;
import org.apache.ibatis.annotations.Mapper;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.transaction.annotation.Transactional;

/** IDs of a type that wraps them. */
@SpringBootTest
@Transactional
class TypedIdTests {

    @Autowired
    private TypedOrders orders;

    @Test
    void insertsFindsAndDeletesByATypedId() {
        TypedOrder order = new TypedOrder();
        TypedOrder other = new TypedOrder();

        orders.insert(List.of(order, other));

        assertThat(order.id.value()).isPositive();
        assertThat(orders.selectById(order.id).id).isEqualTo(order.id);
        assertThat(orders.selectByIds(List.of(order.id, other.id))).hasSize(2);
        assertThat(orders.deleteById(order.id)).isEqualTo(1);
        assertThat(orders.selectList(null)).extracting(left -> left.id).containsExactly(other.id);
    }

    record OrderId(long value) {}

    @TableName("typed_order")
    static class TypedOrder {

        @TableId
        @SnowflakeId
        OrderId id;

        String customer;

        public OrderId getId() {
            return id;
        }

        public void setId(OrderId id) {
            this.id = id;
        }
    }

    @Mapper
    interface TypedOrders extends BaseMapper<TypedOrder> {}
}
