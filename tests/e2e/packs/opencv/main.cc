// Draws, filters and finds on an image, loses one, and reads past the end in what OpenCV calls.
#include <vector>

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

namespace
{

void work()
{
    cv::Mat image = cv::Mat::zeros(200, 200, CV_8UC3), gray, edges;
    cv::randu(image, 0, 255);
    cv::cvtColor(image, gray, cv::COLOR_BGR2GRAY);
    cv::GaussianBlur(gray, edges, cv::Size(5, 5), 1);
    cv::resize(edges, image, cv::Size(50, 50));
    cv::Canny(gray, edges, 50, 100);
    std::vector<std::vector<cv::Point>> contours;
    cv::findContours(edges, contours, cv::RETR_LIST, cv::CHAIN_APPROX_SIMPLE);
    cv::Mat reals(16, 16, CV_64F);
    cv::randn(reals, 0, 1);
    cv::dft(reals, reals);
    cv::putText(gray, "x", cv::Point(5, 5), 0, 1, cv::Scalar(1));
    try {
        cv::resize(cv::Mat(), image, cv::Size());
    } catch (const cv::Exception &) {
    }
}

void lose()
{
    new cv::Mat(20, 20, CV_8U); // expect: Leak_DefinitelyLost Leak_IndirectlyLost
    std::vector<int> numbers(4);
    const int *first = numbers.data();
    cv::parallel_for_(cv::Range(0, 8), [first](const cv::Range &range) {
        volatile int sum = 0;
        for (int i = range.start; i < range.end; i++)
            sum = sum + first[i];        // expect: InvalidRead
        int *volatile lost = new int[3]; // expect: Leak_DefinitelyLost
        lost = nullptr;
    });
}

} // namespace

int main()
{
    work();
    lose();
    work();
}
