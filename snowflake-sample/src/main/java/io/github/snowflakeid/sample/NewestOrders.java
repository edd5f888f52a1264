package io.github.snowflakeid.sample;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of orders, newest first, and the ID before which the next page begins; null if this is the last page. */
record NewestOrders(List<PlacedOrder> orders, @Nullable OrderId older) {}
