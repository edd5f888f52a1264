package io.github.snowflakeid.it.mybatisflex;

import com.mybatisflex.core.BaseMapper;

public interface FlexVisitMapper extends BaseMapper<FlexVisit> {}
