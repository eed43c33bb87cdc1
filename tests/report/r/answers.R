# The answers that tests/report/compare_test.t expects, computed by R:
#   Rscript tests/report/r/answers.R > tests/report/r/answers.txt
# Each case is a table of logarithms: a row for each launch, BASE first. Only combn, t.test and cor.test are used,
# so nothing here is shared with skampi-compare.

random <- function(seed, count) {  # Park and Miller, for the same numbers everywhere
    state <- seed
    values <- numeric(count)
    for (i in seq_len(count)) {
        state <- (state * 48271) %% 2147483647
        values[i] <- state / 2147483647
    }
    values
}

case <- function(seed, base, new, points, missing = 0) {
    values <- matrix(round(random(seed, (base + new) * points), 4), base + new, points)
    values[(base + 1):(base + new), 1] <- values[(base + 1):(base + new), 1] + 1.5
    if (missing > 0) values[cbind(c(1, base + 1)[seq_len(missing)], 2:(1 + missing))] <- NA
    list(base = base, new = new, values = values)
}

statistic <- function(y, is_new) {
    parts <- sapply(seq_len(ncol(y)), function(k) {
        a <- na.omit(y[!is_new, k])
        b <- na.omit(y[is_new, k])
        n <- length(a)
        m <- length(b)
        if (n == 0 || m == 0 || n + m < 3) return(c(0, 0))
        within <- sum((a - mean(a))^2) + sum((b - mean(b))^2)
        c(mean(b) - mean(a), sqrt(within / (n + m - 2) * (1 / n + 1 / m)))
    })
    parts[1, ] / (parts[2, ] + median(parts[2, ]))
}

adjusted <- function(y, base, new) {
    launches <- base + new
    observed <- abs(statistic(y, seq_len(launches) > base))
    most <- apply(combn(launches, new), 2, function(labelled)
        max(abs(statistic(y, seq_len(launches) %in% labelled))))
    sapply(observed, function(t) mean(most >= t - 1e-9))
}

show <- function(name, values) cat(name, sprintf("%.9g", values), "\n")

cases <- list(case(12, 5, 4, 6), case(13, 5, 5, 4, missing = 2), case(14, 3, 6, 1))
for (it in cases) {
    y <- it$values
    cat("case", it$base, it$new, ncol(y), "\n")
    for (i in seq_len(nrow(y))) show("values", y[i, ])
    is_new <- seq_len(nrow(y)) > it$base
    show("t", statistic(y, is_new))
    show("p", adjusted(y, it$base, it$new))
    tests <- lapply(seq_len(ncol(y)), function(k) t.test(y[is_new, k], y[!is_new, k], var.equal = TRUE))
    show("low", sapply(tests, function(t) exp(t$conf.int[1])))
    show("high", sapply(tests, function(t) exp(t$conf.int[2])))
    complete <- na.omit(y[, 1])
    show("kendall", cor.test(complete, seq_along(complete), method = "kendall", exact = TRUE)$p.value)
}
